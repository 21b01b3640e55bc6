/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "run-manifest.h"

#include "ns3/global-value.h"
#include "ns3/input-file.h"
#include "ns3/notice.h"
#include "ns3/output-file.h"
#include "ns3/rng-seed-manager.h"
#include "ns3/simulator.h"
#include "ns3/string.h"
#include "ns3/type-id.h"

#include <boost/version.hpp>
#include <cstdlib>
#include <filesystem>

namespace ns3
{

namespace
{

/**
 * @param info an attribute
 * @param value one of its values
 * @return the value as text, without anything that changes from run to run
 */
std::string
ValueText(const TypeId::AttributeInformation& info, const Ptr<const AttributeValue>& value)
{
    // A pointer's text is an address; what it was made from stands in the input.
    return info.checker->GetValueTypeName() == "ns3::PointerValue"
               ? "object"
               : value->SerializeToString(info.checker);
}

/**
 * @brief Adds the attributes of one class whose default is no longer what the class declares.
 * @param tid the class
 * @param attributes takes the attributes
 */
void
AddChangedDefaults(TypeId tid, JsonObject& attributes)
{
    for (std::size_t i = 0; i < tid.GetAttributeN(); ++i)
    {
        const auto info = tid.GetAttribute(i);
        if (info.initialValue == info.originalInitialValue)
        {
            continue;
        }
        const std::string text = ValueText(info, info.initialValue);
        if (text == "object" || text != ValueText(info, info.originalInitialValue))
        {
            attributes.Set(tid.GetName() + "::" + info.name, text);
        }
    }
}

/// @return the values of all GlobalValues and the changed defaults of all attributes
JsonObject
CollectAttributes()
{
    JsonObject attributes;
    for (auto i = GlobalValue::Begin(); i != GlobalValue::End(); ++i)
    {
        StringValue value;
        (*i)->GetValue(value);
        attributes.Set((*i)->GetName(), value.Get());
    }
    for (uint16_t i = 0; i < TypeId::GetRegisteredN(); ++i)
    {
        AddChangedDefaults(TypeId::GetRegistered(i), attributes);
    }
    return attributes;
}

/**
 * @brief Says where the files are that the input names by relative paths.
 * @param run takes it, if there are any
 * @param folder of run.json
 */
void
AddInputFiles(JsonObject& run, const std::string& folder)
{
    JsonObject files;
    for (const auto& [name, where] : GetInputFiles())
    {
        // From there, so that a folder with input and results can be moved as a whole.
        files.Set(name, std::filesystem::relative(where, folder).string());
    }
    if (!GetInputFiles().empty())
    {
        run.Set("files", files);
    }
}

} // namespace

RunManifest::RunManifest(std::string_view scenario, std::string_view scheme)
    : m_scenario(scenario),
      m_scheme(scheme),
      m_started(std::chrono::steady_clock::now())
{
}

void
RunManifest::SetHosts(const std::vector<std::string>& deviations)
{
    m_hosts.Set("deviations", deviations);
}

void
RunManifest::Write(const OutputFolder& output) const
{
    JsonObject versions;
    versions.Set("suite", GetSuiteVersion());
    versions.Set("ns3", GetNs3Version());
    versions.Set("compiler", GetCompiler());
    versions.Set("libstdc++", std::to_string(_GLIBCXX_RELEASE));
    versions.Set("boost", BOOST_LIB_VERSION);
    // Not compiled in: a commit that changes no code makes no results stale.
    if (const char* commit = std::getenv("SUITE_COMMIT"))
    {
        const char* changed = std::getenv("SUITE_CHANGED");
        versions.Set("commit", commit);
        versions.Set("changed", changed && std::string_view(changed) == "1");
    }

    JsonObject sizes;
    for (const auto& [name, size] : output.GetFiles())
    {
        sizes.Set(name, size);
    }

    JsonObject run;
    run.Set("scenario", m_scenario);
    run.Set("scheme", m_scheme);
    run.Set("hosts", m_hosts);
    run.Set("input", m_input);
    AddInputFiles(run, output.GetFolder());
    run.Set("settings", m_settings);
    run.Set("attributes", CollectAttributes());
    run.Set("rng_seed", RngSeedManager::GetSeed());
    run.Set("rng_run", RngSeedManager::GetRun());
    run.Set("versions", versions);
    run.Set("wall_s", GetWallSeconds());
    run.Set("events", Simulator::GetEventCount());
    run.Set("simulated_s", Simulator::Now().GetSeconds());
    run.Set("notices", GetHeldNotices());
    run.Set("output", sizes);
    run.Set("results", m_results);

    OutputFile file(output.GetPath() + "/run.json");
    file.Write(run.GetText());
    file.Write("\n");
    file.Close();
}

double
RunManifest::GetWallSeconds() const
{
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - m_started).count();
}

std::string_view
RunManifest::GetSuiteVersion()
{
    return SUITE_VERSION;
}

std::string
RunManifest::GetNs3Version()
{
    const std::string version = SUITE_NS3_VERSION;
    return version.empty() ? "unknown" : version;
}

std::string
RunManifest::GetCompiler()
{
#if defined(__clang__)
    return __VERSION__;
#else
    return std::string("GCC ") + __VERSION__;
#endif
}

} // namespace ns3
