/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef RATE_WRITE_HEADER_H
#define RATE_WRITE_HEADER_H

#include "ns3/header.h"

#include <cstdint>

namespace ns3
{

/**
 * @ingroup telemetry
 * @brief A write to the rate registers of a switch, by a control packet: plain, for an item.
 * RateWriteHeader is the same on the wire.
 */
struct RateWriteFields
{
    uint32_t node{0};    //!< number of the switch whose register it is
    uint32_t limiter{0}; //!< index of the limiter
    uint64_t rate{0};    //!< its new rate in bit/s

    bool operator==(const RateWriteFields&) const = default; //!< @return true if all are the same
};

/**
 * @ingroup telemetry
 * @brief Writes a limiter's rate from the data plane (Nimble, SOSR 2021, Section 4.1: "a special
 * control packet" with the limiter's index and its rate; the paper gives no layout).
 *
 * 16 bytes in network order behind UDP:
 * @verbatim
     0                   1                   2                   3
     0 1 2 3 4 5 6 7 8 9 0 1 2 3 4 5 6 7 8 9 0 1 2 3 4 5 6 7 8 9 0 1
    +-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+
    |                           the switch                          |
    +-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+
    |                     index of the limiter                      |
    +-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+
    |                                                               |
    +                         rate (bit/s)                          +
    |                                                               |
    +-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+ @endverbatim
 */
class RateWriteHeader : public Header
{
  public:
    /// @brief Get the type ID.
    static TypeId GetTypeId();

    static constexpr uint32_t SIZE = 16;                //!< bytes
    static constexpr uint32_t DATAGRAM = SIZE + 8 + 20; //!< bytes with the headers of UDP and IP

    RateWriteHeader() = default;

    /**
     * @brief A header from the fields in an item.
     * @param fields the fields
     */
    explicit RateWriteHeader(const RateWriteFields& fields);

    /**
     * @brief The same for an item.
     * @return the fields
     */
    const RateWriteFields& GetFields() const;

    TypeId GetInstanceTypeId() const override;
    void Print(std::ostream& os) const override;
    uint32_t GetSerializedSize() const override;
    void Serialize(Buffer::Iterator start) const override;
    uint32_t Deserialize(Buffer::Iterator start) override;

  private:
    RateWriteFields m_fields; //!< all there is
};

} // namespace ns3

#endif /* RATE_WRITE_HEADER_H */
