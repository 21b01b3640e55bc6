/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

// Speed and memory of the fabric against stock ns-3, as ratios within one run.
//
// Every case runs in a process of its own, so that its peak memory is its own. Time is processor
// time of Simulator::Run(), the best of some repetitions, which take turns with those of the other
// cases. A hop is one packet crossing one link.

#include "bench-report.h"

#include "ns3/huge-pages.h"
#include "ns3/input-error.h"
#include "ns3/input-parse.h"

#include <algorithm>
#include <cstring>
#include <iostream>
#include <optional>
#include <string>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>
#include <vector>

using namespace ns3;

namespace
{

/**
 * @brief Run one repetition in a process of its own.
 * @param run the repetition
 * @return its cost; nothing if the process failed
 */
std::optional<Measurement>
RunChildProcess(const std::function<Measurement()>& run)
{
    int channel[2];
    if (pipe(channel) != 0)
    {
        return std::nullopt;
    }
    const pid_t child = fork();
    if (child == 0)
    {
        close(channel[0]);
        Time::SetResolution(Time::PS);
        const Measurement measurement = run();
        const bool written = write(channel[1], &measurement, sizeof(measurement)) ==
                             static_cast<ssize_t>(sizeof(measurement));
        _exit(written ? 0 : 1);
    }
    close(channel[1]);
    Measurement measurement;
    const bool complete = read(channel[0], &measurement, sizeof(measurement)) ==
                          static_cast<ssize_t>(sizeof(measurement));
    close(channel[0]);
    int status = 0;
    rusage usage{};
    wait4(child, &status, 0, &usage);
    measurement.peakMegabytes = usage.ru_maxrss / 1024.0;
    return complete && status == 0 ? std::optional(measurement) : std::nullopt;
}

/**
 * @brief Touch memory. A virtual machine may lose memory that it does not use to its host, and
 * whoever touches it next waits for it to come back; no case is charged for that.
 * @param megabytes size of the memory
 * @return nothing
 */
Measurement
TouchMemory(double megabytes)
{
    const auto bytes = static_cast<std::size_t>(megabytes * (1 << 20));
    void* memory = HugePages::Allocate(bytes);
    std::memset(memory, 1, bytes);
    HugePages::Free(memory, bytes);
    return {};
}

/**
 * @brief Run all cases in turn, again and again: a machine that is slower for a while slows a case
 * and its baseline alike.
 * @param cases the cases
 * @param repetitions number of repetitions of each
 * @return the fastest repetition of each case; nothing if one failed
 */
std::vector<std::optional<Measurement>>
RunBest(const std::vector<Case>& cases, uint32_t repetitions)
{
    std::vector<std::optional<Measurement>> best(cases.size());
    for (uint32_t i = 0; i < repetitions; ++i)
    {
        for (std::size_t k = 0; k < cases.size(); ++k)
        {
            if (i > 0 && !best[k])
            {
                continue; // it has failed
            }
            std::cerr << "running " << i + 1 << " of " << repetitions << ": " << cases[k].name
                      << std::endl;
            if (i > 0)
            {
                RunChildProcess([&] { return TouchMemory(best[k]->peakMegabytes); });
            }
            const auto measurement = RunChildProcess(cases[k].run);
            if (!measurement || i == 0 || measurement->seconds < best[k]->seconds)
            {
                best[k] = measurement;
            }
        }
    }
    return best;
}

/// @brief Options of the command line.
struct Options
{
    bool json{false};        //!< JSON instead of a table
    double scale{1};         //!< of the traffic of each case
    uint32_t repetitions{3}; //!< of each case, the fastest counts
    std::string name;        //!< of the case to run, or a part of those of several
};

/**
 * @brief Read the command line.
 * @param arguments the arguments
 * @return the options
 * @throws InputError if one cannot be used
 */
Options
ReadOptions(const std::vector<std::string>& arguments)
{
    Options options;
    for (const std::string& argument : arguments)
    {
        const auto end = argument.find('=');
        const std::string name = argument.substr(0, end);
        const std::string value = end == std::string::npos ? "" : argument.substr(end + 1);
        if (argument == "--json")
        {
            options.json = true;
        }
        else if (name == "--scale")
        {
            options.scale = ParseNumber(name, value);
            if (options.scale <= 0 || options.scale > 1000)
            {
                throw InputError(name, value, "a number above 0, up to 1000");
            }
        }
        else if (name == "--repetitions")
        {
            const uint64_t count = ParseCount(name, value);
            if (count < 1 || count > 1000)
            {
                throw InputError(name, value, "a whole number from 1 to 1000");
            }
            options.repetitions = static_cast<uint32_t>(count);
        }
        else if (name == "--case")
        {
            options.name = value;
        }
        else
        {
            throw InputError("option",
                             argument,
                             "known are --json, --scale=1, --repetitions=3, --case=NAME");
        }
    }
    return options;
}

/**
 * @brief All cases.
 * @param scale amount of work of each case
 * @return the cases, baselines before what is compared with them
 */
std::vector<Case>
GetCases(const Scale& scale)
{
    std::vector<Case> cases;
    for (const auto& getCases : {GetStockCases,
                                 GetFabricCases,
                                 GetDisciplineCases,
                                 GetMeterCases,
                                 GetAllocationCases,
                                 GetBouncingCases,
                                 GetShimCases,
                                 GetMufabCases})
    {
        const auto some = getCases(scale);
        cases.insert(cases.end(), some.begin(), some.end());
    }
    return cases;
}

/**
 * @brief The cases that the user asks for.
 * @param options options of the command line
 * @return the cases, baselines before what is compared with them
 * @throws InputError if there is none
 */
std::vector<Case>
SelectCases(const Options& options)
{
    std::vector<Case> cases = GetCases(Scale(options.scale));
    std::string names;
    for (const Case& what : cases)
    {
        names += (names.empty() ? "" : " | ") + what.name;
    }
    const bool isOne = std::ranges::count(cases, options.name, &Case::name) > 0;
    std::erase_if(cases, [&](const Case& what) {
        return isOne ? what.name != options.name
                     : what.name.find(options.name) == std::string::npos;
    });
    if (cases.empty())
    {
        throw InputError("--case", options.name, "a part of one of the names " + names);
    }
    return cases;
}

} // namespace

int
main(int argc, char* argv[])
{
    Options options;
    std::vector<Case> cases;
    try
    {
        options = ReadOptions({argv + 1, argv + argc});
        cases = SelectCases(options);
    }
    catch (const InputError& error)
    {
        std::cerr << "bench: " << error.what() << std::endl;
        return 1;
    }
    const auto best = RunBest(cases, options.repetitions);
    std::vector<Row> rows;
    for (std::size_t k = 0; k < cases.size(); ++k)
    {
        const auto judged = Judge(cases[k], best[k], rows);
        rows.insert(rows.end(), judged.begin(), judged.end());
    }
    options.json ? PrintJson(rows) : PrintTable(rows);
    const bool complete =
        std::all_of(rows.begin(), rows.end(), [](const Row& r) { return r.result.has_value(); });
    return complete ? 0 : 1;
}
