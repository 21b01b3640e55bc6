/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef NOTICE_H
#define NOTICE_H

#include <string>
#include <vector>

/**
 * @file
 * @ingroup support
 * Notices to users that are no errors: lines on standard error.
 */

namespace ns3
{

/**
 * @ingroup support
 * @brief Print a notice, or keep it until PrintHeldNotices().
 * @param text one line
 */
void PrintNotice(const std::string& text);

/**
 * @ingroup support
 * @brief Keep notices from now on: what a user sees of wrong input shall be one line, that of the
 * error, and some of it (a packet larger than flow control allows for) shows only on the way.
 */
void HoldNotices();

/**
 * @ingroup support
 * @brief The notices that are kept.
 * @return a line each, in the order of PrintNotice()
 */
std::vector<std::string> GetHeldNotices();

/**
 * @ingroup support
 * @brief Print the notices that were kept, and all later ones at once.
 */
void PrintHeldNotices();

} // namespace ns3

#endif /* NOTICE_H */
