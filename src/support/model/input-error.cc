/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "input-error.h"

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <iostream>

namespace ns3
{

namespace
{

std::terminate_handler g_next; //!< ends the program for any other reason

/// @brief End the program: with one line and status 1 if it is for an InputError that nobody
/// caught, else as it would have ended without us.
void
EndProgram()
{
    try
    {
        if (const std::exception_ptr uncaught = std::current_exception())
        {
            std::rethrow_exception(uncaught);
        }
    }
    catch (const InputError& error)
    {
        std::cout.flush();
        std::fflush(nullptr);
        std::cerr << error.what() << std::endl;
        std::_Exit(1); // not exit(): destructors of a simulation that stopped half way may fail
    }
    catch (...) // is for the next handler
    {
    }
    g_next();
}

/// @brief Have EndProgram() called, from the first error on.
void
InstallEndOfProgram()
{
    static const bool installed = [] {
        g_next = std::set_terminate(EndProgram);
        return true;
    }();
    (void)installed;
}

/**
 * @param text whatever a user wrote
 * @return it in one line, without what else a terminal would obey
 */
std::string
InOneLine(std::string text)
{
    std::ranges::replace_if(text, [](unsigned char c) { return c < ' ' || c == 0x7f; }, ' ');
    return text;
}

/**
 * @param value whatever a user wrote
 * @return its start, if it is so long that nobody would find what is allowed behind it
 */
std::string
Shorten(const std::string& value)
{
    constexpr std::size_t most = 400;
    return value.size() <= most ? value : value.substr(0, most) + "...";
}

} // namespace

InputError::InputError(const std::string& argument,
                       const std::string& value,
                       const std::string& allowed)
    : std::runtime_error(InOneLine(argument + " = '" + Shorten(value) + "': " + allowed))
{
    InstallEndOfProgram();
}

InputError::InputError(const std::string& where, const InputError& error)
    : std::runtime_error(where + ": " + error.what())
{
    InstallEndOfProgram();
}

} // namespace ns3
