/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef OWN_SCHEMES_H
#define OWN_SCHEMES_H

namespace ns3
{

/**
 * @ingroup scenario
 * @brief Loads the user's own schemes: the libraries libsuite-own-NAME.so beside this one.
 *
 * Each file of scratch/schemes is such a library. Programs are not linked to them, so that a new
 * one changes no program, and one that does not compile or load stops no other: that one is told on
 * stderr, and its schemes are unknown.
 */
void LoadOwnSchemes();

} // namespace ns3

#endif /* OWN_SCHEMES_H */
