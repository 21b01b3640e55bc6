/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

// The multiplication table of a logical meter (Nimble, SOSR 2021, Algorithm 1, Sections 6.1.1 and
// 6.3.4): how many entries, how large its errors. Simulates nothing.

#include "ns3/approximate-multiplier.h"
#include "ns3/calculation.h"
#include "ns3/input-error.h"

#include <algorithm>
#include <cmath>

using namespace ns3;

namespace
{

constexpr uint32_t LARGEST_LISTED = 20; //!< bits of factors up to which the table itself is made

/**
 * @brief Relative errors of a table.
 */
struct Errors
{
    double most{0};  //!< above the factor
    double least{0}; //!< below it, negative
};

/**
 * @brief Errors at the ends of all groups, where they are the largest.
 * @param width bits of a factor
 * @param bits that are looked at
 * @return the errors
 */
Errors
FindErrors(uint32_t width, uint32_t bits)
{
    const ApproximateMultiplier multiplier(width, bits);
    Errors errors;
    const auto take = [&](uint64_t factor) {
        const auto exact = static_cast<double>(factor);
        const double error = multiplier.GetMean(factor) / exact - 1;
        errors.most = std::max(errors.most, error);
        errors.least = std::min(errors.least, error);
    };
    // The pattern repeats with each further bit, and the leading groups have the largest errors.
    for (uint32_t unknown = 1; unknown + bits <= width; ++unknown)
    {
        const uint64_t first = uint64_t{1} << (bits - 1);
        take(first << unknown);
        take(((first + 1) << unknown) - 1);
    }
    return errors;
}

/**
 * @brief Make the table and count what it covers.
 * @param width bits of a factor
 * @param bits that are looked at
 * @return entries
 * @throws InputError if it does not cover each factor once
 */
uint64_t
CountListed(uint32_t width, uint32_t bits)
{
    const auto entries = ApproximateMultiplier(width, bits).ListEntries();
    uint64_t next = 0;
    for (const auto& entry : entries)
    {
        if (entry.first != next)
        {
            throw InputError("table", std::to_string(entry.first), "must go on where it ended");
        }
        next = entry.last + 1;
    }
    if (next != uint64_t{1} << width)
    {
        throw InputError("table", std::to_string(next), "must cover all factors");
    }
    return entries.size();
}

} // namespace

int
main(int argc, char* argv[])
{
    uint32_t width = 32;
    uint32_t bits = 4;
    uint32_t rates = 1;
    Calculation calculation("nimble-multiply", "computes the size and errors of multiply tables");
    calculation.AddOption("width", "bits of a factor, the time since the last packet in ns", width);
    calculation.AddOption("bits", "significant bits that the table looks at", bits);
    calculation.AddOption("rates", "rates that have a table each", rates);
    return calculation.Main(argc, argv, [&] {
        if (width < 1 || width > ApproximateMultiplier::MAX_WIDTH)
        {
            throw InputError("--width", std::to_string(width), "1 to 62");
        }
        if (bits < 1 || bits > width)
        {
            throw InputError("--bits", std::to_string(bits), "1 to the width");
        }
        const uint64_t entries = ApproximateMultiplier::CountEntries(width, bits);
        calculation.Report("entries", static_cast<double>(rates * entries));
        calculation.Report("entries_billion", static_cast<double>(rates * entries) / 1e9);
        calculation.Report("entries_share",
                           static_cast<double>(entries) / std::ldexp(1, static_cast<int>(width)));
        if (width <= LARGEST_LISTED)
        {
            calculation.Report("entries_listed",
                               static_cast<double>(rates * CountListed(width, bits)));
        }
        const Errors errors = FindErrors(width, bits);
        calculation.Report("error_max_percent", 100 * errors.most);
        calculation.Report("error_min_percent", 100 * errors.least);
    });
}
