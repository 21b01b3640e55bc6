/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef PROBE_HEADER_H
#define PROBE_HEADER_H

#include "int-stack.h"

#include "ns3/header.h"

#include <array>
#include <cstdint>

namespace ns3
{

/**
 * @ingroup telemetry
 * @brief A probe or its response, with what each hop tells (uFAB, SIGCOMM 2022, Appendix G, Fig.
 22).
 *
 * In network order:
 * @verbatim
     0                   1                   2                   3
     0 1 2 3 4 5 6 7 8 9 0 1 2 3 4 5 6 7 8 9 0 1 2 3 4 5 6 7 8 9 0 1
    +-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+
    | type  | nHop  |                 phi of the pair               |
    +-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+
    |               W               |              phi              |  for each
    +-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+  hop of
    |               tx              |           q           |   C   |  the path
    +-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+ @endverbatim
 * The paper's drawing has 16 bits for the tokens of the pair, its legend 24. With 16 bits
 * (SetTokenBits()) the first part is three bytes long and the records follow at once.
 *
 * nHop counts the records that switches have written. A probe has room for all hops from the start,
 * so that its length is constant: how many there are, the length of the packet tells. Tokens that
 * do not fit saturate.
 */
class ProbeHeader : public Header
{
  public:
    /// @brief Get the type ID.
    static TypeId GetTypeId();

    static constexpr uint32_t MAX_HOPS = 15; //!< that nHop can count

    /// @brief The type of a probe. The paper has 1, 2 and 4.
    enum Type : uint8_t
    {
        PROBE = 1,    //!< registers the pair and asks
        RESPONSE = 2, //!< brings the answers back
        QUERY = 3,    //!< asks only, for paths that might be taken
        FAILURE = 4,  //!< comes from a switch that cannot forward a probe
        FINISH = 8,   //!< the pair has left the path
    };

    ProbeHeader();

    /**
     * @brief A header from the fields in an item.
     * @param stack the fields
     */
    explicit ProbeHeader(const IntStack& stack);

    /**
     * @brief The same for an item.
     * @return the stack; its room must be enough
     */
    IntStack GetStack() const;

    /**
     * @brief Choose the width of the pair's tokens, before reading or writing.
     * @param bits 16 or 24
     */
    void SetTokenBits(uint32_t bits);

    /**
     * @brief Set what it is.
     * @param type the type
     */
    void SetType(Type type);

    /// @brief The type.
    Type GetType() const;

    /**
     * @brief Set the tokens of the pair.
     * @param tokens number of tokens
     */
    void SetTokens(uint32_t tokens);

    /// @brief Tokens of the pair.
    uint32_t GetTokens() const;

    /**
     * @brief Make room for the hops of a path, all with the sender's window.
     * @param hops number of hops, at most MAX_HOPS
     * @param window in units
     */
    void SetRoom(uint32_t hops, uint16_t window);

    /**
     * @brief Set what the sender tells one hop of its window.
     * @param hop counted from 0, less than GetRoom()
     * @param window in units
     */
    void SetWindow(uint32_t hop, uint16_t window);

    /**
     * @brief Records there are.
     * @return number of records, written or not
     */
    uint32_t GetRoom() const;

    /**
     * @brief Records that switches have written.
     * @return nHop
     */
    uint32_t GetHops() const;

    /**
     * @brief A switch writes its record.
     * @param record the record
     * @return false if there is no room for it
     */
    bool Push(const IntRecord& record);

    /**
     * @brief Read a record.
     * @param hop counted from 0, less than GetRoom()
     * @return the record
     */
    const IntRecord& GetRecord(uint32_t hop) const;

    TypeId GetInstanceTypeId() const override;
    void Print(std::ostream& os) const override;
    uint32_t GetSerializedSize() const override;
    void Serialize(Buffer::Iterator start) const override;
    uint32_t Deserialize(Buffer::Iterator start) override;

  private:
    static constexpr uint32_t RECORD = sizeof(IntRecord); //!< bytes of a record

    uint32_t m_tokenBytes{3};                    //!< bytes of the tokens of the pair
    uint8_t m_type{PROBE};                       //!< the type
    uint8_t m_hops{0};                           //!< records written
    uint8_t m_room{0};                           //!< records there are
    uint32_t m_tokens{0};                        //!< of the pair
    std::array<IntRecord, MAX_HOPS> m_records{}; //!< by hop
};

} // namespace ns3

#endif /* PROBE_HEADER_H */
