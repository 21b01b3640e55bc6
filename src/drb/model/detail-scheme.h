/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef DETAIL_SCHEME_H
#define DETAIL_SCHEME_H

#include "ns3/tcp-host-scheme.h"

namespace ns3
{

/**
 * @ingroup drb
 * @brief DeTail (Zats, Das, Mohan, Borthakur, Katz, SIGCOMM 2012), DRB's comparator of Section 5.4:
 * links that lose nothing, each packet sent to a port with a short queue, order restored at hosts.
 *
 * A re-implementation from the description in the two papers, not the code of DeTail's authors,
 * which DRB's authors used. All packets have one priority, as there.
 */
class DetailScheme : public TcpHostScheme
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
    std::string GetDefaultPaths() const override;
    std::string GetDefaultFlowControl() const override;
    Time GetDefaultResequencingTimeout() const override;

  private:
    uint32_t m_inputBuffer; //!< attribute InputBuffer
    uint32_t m_maxPacket;   //!< attribute MaxPacket
    uint32_t m_shortQueue;  //!< attribute ShortQueue
    uint32_t m_longQueue;   //!< attribute LongQueue
};

} // namespace ns3

#endif /* DETAIL_SCHEME_H */
