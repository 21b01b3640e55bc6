/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef REPORT_HEADER_H
#define REPORT_HEADER_H

#include "ns3/header.h"

#include <cstdint>

namespace ns3
{

/**
 * @ingroup telemetry
 * @brief A receiver's report to a sender on one VM pair and one interval: plain, for an item.
 * ReportHeader is the same on the wire.
 */
struct ReportFields
{
    static constexpr uint16_t NO_RED = 0xffff; //!< of congestion: nothing that could be marked came

    uint16_t congestion{NO_RED}; //!< share of what could be marked that was, see GetCongestion()
    uint8_t flags{0};            //!< the scheme's own
    uint32_t sequence{0};        //!< number of the interval
    uint32_t rate{0};            //!< received, in kbit/s
    uint32_t redRate{0};         //!< part of it beyond the guarantee, in kbit/s
    uint32_t share{0};           //!< the receiving side's share of the guarantee, in kbit/s
    uint32_t redPackets{0};      //!< received beyond the guarantee

    /**
     * @brief The share of marked bytes in 1/10000, rounded up: any mark at all can be told from
     * none.
     * @param marked bytes that were marked
     * @param all bytes that could have been
     * @return 0 to 10000, or NO_RED
     */
    static uint16_t GetCongestion(uint64_t marked, uint64_t all)
    {
        return all == 0 ? NO_RED : static_cast<uint16_t>((marked * 10000 + all - 1) / all);
    }

    bool operator==(const ReportFields&) const = default; //!< @return true if all are the same
};

/**
 * @ingroup telemetry
 * @brief A receiver's report (Trinity, IEEE TCC 2018, Section 4.1: a packet of 64 bytes on the
 wire,
 * IP protocol 143).
 *
 * The paper says of its contents the share of marked bytes only, which its prototype puts into the
 * identification of the IP header. 26 bytes in network order, so that the IP datagram has 46 and an
 * Ethernet frame 64:
 * @verbatim
     0                   1                   2                   3
     0 1 2 3 4 5 6 7 8 9 0 1 2 3 4 5 6 7 8 9 0 1 2 3 4 5 6 7 8 9 0 1
    +-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+
    |    version    |     flags     |          congestion           |
    +-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+
    |                       number of interval                      |
    +-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+
    |                     rate received (kbit/s)                    |
    +-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+
    |            rate received beyond the guarantee (kbit/s)        |
    +-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+
    |             share of the receiving side (kbit/s)              |
    +-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+
    |             packets received beyond the guarantee             |
    +-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+
    |               0               |
    +-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+ @endverbatim
 */
class ReportHeader : public Header
{
  public:
    /// @brief Get the type ID.
    static TypeId GetTypeId();

    static constexpr uint32_t SIZE = 26;        //!< bytes
    static constexpr uint32_t DATAGRAM = 46;    //!< bytes with the IP header
    static constexpr uint8_t IP_PROTOCOL = 143; //!< of a report by itself
    static constexpr uint8_t VERSION = 1;       //!< of the layout

    ReportHeader();

    /**
     * @brief A header from the fields in an item.
     * @param fields the fields
     */
    explicit ReportHeader(const ReportFields& fields);

    /**
     * @brief The same for an item.
     * @return the fields
     */
    const ReportFields& GetFields() const;

    TypeId GetInstanceTypeId() const override;
    void Print(std::ostream& os) const override;
    uint32_t GetSerializedSize() const override;
    void Serialize(Buffer::Iterator start) const override;
    uint32_t Deserialize(Buffer::Iterator start) override;

  private:
    ReportFields m_fields; //!< all but the version
};

} // namespace ns3

#endif /* REPORT_HEADER_H */
