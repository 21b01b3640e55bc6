/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef INPUT_ERROR_H
#define INPUT_ERROR_H

#include <stdexcept>
#include <string>

namespace ns3
{

/**
 * @ingroup support
 * @brief An input that cannot be used.
 *
 * A program that does not catch it, such as a stock ns-3 program whose Simulator::Run() sets up a
 * discipline, prints the one line and ends with status 1. Errors of the suite itself are
 * assertions, never this.
 */
class InputError : public std::runtime_error
{
  public:
    /**
     * @param argument the setting, as the user spells it ("--load", "leaf-spine:Leaves",
     * "sizes.yaml line 3")
     * @param value the value that was given
     * @param allowed the values accepted
     */
    InputError(const std::string& argument, const std::string& value, const std::string& allowed);

    /**
     * @param where says which of several things of a kind it is ("workload of tenant A")
     * @param error the error found in it
     */
    InputError(const std::string& where, const InputError& error);
};

} // namespace ns3

#endif /* INPUT_ERROR_H */
