/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef AFQ_DCTCP_SCHEME_H
#define AFQ_DCTCP_SCHEME_H

#include "afq-tcp-scheme.h"

namespace ns3
{

/**
 * @ingroup afq
 * @brief AFQ under DCTCP hosts (NSDI 2018, Section 6.1 and Appendix B to D)
 *
 * AFQ's threshold per flow is all that marks.
 */
class AfqDctcpScheme : public AfqTcpScheme
{
  public:
    /**
     * @brief Get the type ID.
     * @return the object TypeId
     */
    static TypeId GetTypeId();

    std::string GetSummary() const override;

  protected:
    std::string GetCongestionOps() const override;
};

} // namespace ns3

#endif /* AFQ_DCTCP_SCHEME_H */
