/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef TOKEN_ASSIGNMENT_H
#define TOKEN_ASSIGNMENT_H

#include <limits>
#include <vector>

namespace ns3
{

/// @ingroup mufab
/// @brief phi_D of a pair that its receiver does not limit, or has not spoken of yet.
inline constexpr double UNBOUND_TOKENS = std::numeric_limits<double>::infinity();

/**
 * @ingroup mufab
 * @brief A pair at its sender, as Algorithm 1 sees it.
 */
struct TokenUse
{
    double used{0};                 //!< tx / B_u: tokens' worth of what the pair sends
    bool backlogged{false};         //!< true if it could send more, whatever it sends
    double granted{UNBOUND_TOKENS}; //!< phi_D: what the receiver grants
};

/**
 * @ingroup mufab
 * @brief Algorithm 1, lines 1 to 19 (TokenAssignment): a sending VM divides its tokens.
 *
 * A pair that uses less than its fair share keeps that share, as the text, the comment and
 * Algorithm 2 say (line 7 as printed gives it what it uses), so that it need not wait when it wants
 * more; what it leaves goes to the others, so that for one period at most twice the VM's tokens are
 * out. A pair that the receiver grants less than its share gets so much, and leaves the rest to the
 * others, too. Nothing is divided by the number of nobody (lines 9 and 14 as printed).
 *
 * @param tokens phi of the VM
 * @param pairs its active pairs
 * @param boundedBelow a pair needs less if it is not backlogged and uses less than so much of its
 *        fair share: one held back by congestion, or by chance, gives nothing away
 * @return phi_S of each pair
 */
std::vector<double> AssignTokens(double tokens,
                                 const std::vector<TokenUse>& pairs,
                                 double boundedBelow = 1);

/**
 * @ingroup mufab
 * @brief Algorithm 1, lines 19 to 30 (TokenAdmission): a receiving VM grants its tokens, max-min by
 * what is asked for.
 * @param tokens phi of the VM
 * @param demands phi_S of each pair that sends to it
 * @param boundedFrom a pair is bounded if it asks for so much of its fair share. With 1, as
 * printed, a pair that asks for what it was granted last is unbounded as soon as the share grows a
 *        little, and its sender then takes all it has for a period
 * @return phi_D of each pair; UNBOUND_TOKENS: as many as it asks for
 */
std::vector<double> AdmitTokens(double tokens,
                                const std::vector<double>& demands,
                                double boundedFrom = 1);

/**
 * @ingroup mufab
 * @brief Algorithm 2: a pair divides its tokens among its underlay paths.
 * @param tokens phi_S of the pair
 * @param used tx / B_u of each path
 * @return tokens of each path
 */
std::vector<double> SplitTokens(double tokens, const std::vector<double>& used);

/**
 * @ingroup mufab
 * @brief Make tokens whole, for fields of a packet that hold no fractions: never more than there
 * are in sum, and what rounding leaves goes to the first pairs, a token each.
 * @param tokens of each pair
 * @return whole tokens of each pair
 */
std::vector<double> RoundTokens(const std::vector<double>& tokens);

} // namespace ns3

#endif /* TOKEN_ASSIGNMENT_H */
