/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "cdf-flow-size-distribution.h"

#include "ns3/csv-input.h"
#include "ns3/input-error.h"
#include "ns3/input-file.h"
#include "ns3/log.h"
#include "ns3/number-text.h"
#include "ns3/string.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <optional>
#include <utility>

namespace ns3
{

NS_LOG_COMPONENT_DEFINE("CdfFlowSizeDistribution");
NS_OBJECT_ENSURE_REGISTERED(CdfFlowSizeDistribution);

namespace
{

/**
 * @brief The folder of the published distributions.
 * @return path of the folder
 */
std::filesystem::path
PublishedFolder()
{
    const char* folder = std::getenv("NS_FLOW_SIZES_PATH");
    return folder ? folder : WORKLOAD_DATA_FOLDER;
}

} // namespace

TypeId
CdfFlowSizeDistribution::GetTypeId()
{
    static TypeId tid =
        TypeId("ns3::CdfFlowSizeDistribution")
            .SetParent<FlowSizeDistribution>()
            .SetGroupName("Workload")
            .AddConstructor<CdfFlowSizeDistribution>()
            .AddAttribute("File",
                          "Name of a published distribution, or path of a CSV file with the "
                          "columns bytes,probability (0 to 1, or 0 to 100 in percent).",
                          StringValue(""),
                          MakeStringAccessor(&CdfFlowSizeDistribution::SetFile,
                                             &CdfFlowSizeDistribution::GetFile),
                          MakeStringChecker());
    return tid;
}

std::vector<std::string>
CdfFlowSizeDistribution::ListPublished()
{
    std::vector<std::string> names;
    std::error_code ignored; // no such folder: nothing published
    for (const auto& entry : std::filesystem::directory_iterator(PublishedFolder(), ignored))
    {
        if (entry.path().extension() == ".csv")
        {
            names.push_back(entry.path().stem().string());
        }
    }
    std::sort(names.begin(), names.end());
    return names;
}

std::string
CdfFlowSizeDistribution::Locate(const std::string& name)
{
    const auto published = PublishedFolder() / (name + ".csv");
    if (name.find('/') == std::string::npos && std::filesystem::exists(published))
    {
        return published.string();
    }
    return HasInputFile(name) ? name : "";
}

void
CdfFlowSizeDistribution::SetFile(const std::string& file)
{
    NS_LOG_FUNCTION(this << file);
    m_file = file;
    m_knots.clear();
}

std::string
CdfFlowSizeDistribution::GetFile() const
{
    return m_file;
}

const std::vector<CdfFlowSizeDistribution::Knot>&
CdfFlowSizeDistribution::Knots() const
{
    // Not read in SetFile(): an attribute's setter that throws would leak the object under
    // creation.
    if (m_knots.empty())
    {
        m_knots = ReadKnots();
    }
    return m_knots;
}

std::vector<CdfFlowSizeDistribution::Knot>
CdfFlowSizeDistribution::ReadKnots() const
{
    const auto path = Locate(m_file);
    if (path.empty())
    {
        throw InputError("cdf:File", m_file, "must be the path of a CDF file");
    }
    CsvInput csv(path, {"bytes", "probability"});
    std::vector<Knot> knots;
    std::optional<bool> rises; // once two rows differ
    while (csv.Next())
    {
        const Knot knot{csv.Number(0), csv.Number(1)};
        if (knot.bytes > MAX_FLOW_SIZE)
        {
            csv.Reject(0, "must be at most 1e15");
        }
        if (!knots.empty() && knot != knots.back())
        {
            rises = rises.value_or(knot > knots.back());
            const auto [low, high] =
                *rises ? std::pair(knots.back(), knot) : std::pair(knot, knots.back());
            if (low.bytes > high.bytes || low.probability > high.probability)
            {
                csv.Reject(low.bytes > high.bytes ? 0 : 1,
                           *rises ? "must be no less than in the row before"
                                  : "must be no more than in the row before");
            }
        }
        knots.push_back(knot);
    }
    if (!rises.value_or(true))
    {
        std::ranges::reverse(knots);
    }
    Normalize(knots, path);
    return knots;
}

void
CdfFlowSizeDistribution::Normalize(std::vector<Knot>& knots, const std::string& file)
{
    constexpr double ROUNDING = 1e-6; // of a sum of shares that somebody else has written
    const double highest = knots.empty() ? 0 : knots.back().probability;
    if (std::abs(highest - 1) > ROUNDING && std::abs(highest / 100 - 1) > ROUNDING)
    {
        throw InputError(file + " highest probability",
                         NumberText(highest),
                         "must be 1, or 100 in percent");
    }
    for (Knot& knot : knots)
    {
        knot.probability /= highest;
    }
}

double
CdfFlowSizeDistribution::DoQuantile(double probability) const
{
    const auto& knots = Knots();
    const auto upper =
        std::lower_bound(knots.begin(), knots.end(), probability, [](const Knot& knot, double p) {
            return knot.probability < p;
        });
    if (upper == knots.begin())
    {
        return upper->bytes;
    }
    const auto lower = std::prev(upper);
    const double share =
        (probability - lower->probability) / (upper->probability - lower->probability);
    return lower->bytes + share * (upper->bytes - lower->bytes);
}

double
CdfFlowSizeDistribution::DoCdf(double bytes) const
{
    const auto& knots = Knots();
    const auto upper =
        std::upper_bound(knots.begin(), knots.end(), bytes, [](double b, const Knot& knot) {
            return b < knot.bytes;
        });
    if (upper == knots.begin())
    {
        return 0;
    }
    const auto lower = std::prev(upper);
    if (upper == knots.end())
    {
        return lower->probability;
    }
    const double share = (bytes - lower->bytes) / (upper->bytes - lower->bytes);
    return lower->probability + share * (upper->probability - lower->probability);
}

double
CdfFlowSizeDistribution::DoLimitedMean(double limit) const
{
    const auto& knots = Knots();
    double mean = knots.front().probability * std::min(knots.front().bytes, limit);
    for (std::size_t i = 1; i < knots.size(); ++i)
    {
        const double low = std::min(knots[i - 1].bytes, limit);
        const double high = std::min(knots[i].bytes, limit);
        const double width = knots[i].bytes - knots[i - 1].bytes;
        const double below = width > 0 ? (high - low) / width : 1.0; // share of sizes not clipped
        mean += (knots[i].probability - knots[i - 1].probability) *
                (below * (low + high) / 2 + (1 - below) * high);
    }
    return mean;
}

} // namespace ns3
