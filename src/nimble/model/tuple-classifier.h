/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef TUPLE_CLASSIFIER_H
#define TUPLE_CLASSIFIER_H

#include <array>
#include <boost/container_hash/hash.hpp>
#include <cstdint>
#include <optional>
#include <unordered_map>
#include <vector>

namespace ns3
{

/**
 * @ingroup nimble
 * @brief The header fields that classes are told apart by (Nimble, SOSR 2021, Section 3.2).
 */
struct SevenTuple
{
    /// @brief The fields, in the paper's order.
    enum Field : uint8_t
    {
        SOURCE_MAC,
        DESTINATION_MAC,
        SOURCE_ADDRESS,
        DESTINATION_ADDRESS,
        PROTOCOL,
        SOURCE_PORT,
        DESTINATION_PORT
    };

    static constexpr uint32_t FIELDS = 7; //!< number of fields

    /// @brief Bits of the fields.
    static constexpr std::array<uint8_t, FIELDS> WIDTHS{48, 48, 32, 32, 8, 16, 16};

    /// @brief Values; nothing: the packet does not have the field, or it is not known, as MAC
    /// addresses on a point-to-point link.
    std::array<std::optional<uint64_t>, FIELDS> values{};
};

/**
 * @ingroup nimble
 * @brief Rule that names the packets of a class.
 */
struct TupleRule
{
    /// @brief Condition on a field.
    struct Match
    {
        uint64_t value{0}; //!< the value
        uint8_t bits{0};   //!< leading bits that count; 0: any value, or none
    };

    std::array<Match, SevenTuple::FIELDS> fields{}; //!< by SevenTuple::Field
    uint32_t trafficClass{0};                       //!< the class
    uint32_t priority{0};                           //!< of rules that match, the largest counts

    /**
     * @brief Ask for the whole value of a field.
     * @param field the field
     * @param value its value
     * @return this
     */
    TupleRule& Set(SevenTuple::Field field, uint64_t value)
    {
        fields[field] = {value, SevenTuple::WIDTHS[field]};
        return *this;
    }

    /// @brief Fields that must have a value.
    uint32_t CountFields() const;

    /**
     * @brief True if a packet could match both rules.
     * @param other the other rule
     * @return true if no field tells them apart
     */
    bool Overlaps(const TupleRule& other) const;
};

/**
 * @ingroup nimble
 * @brief Finds the class of a packet by its headers: a hash table for each set of fields that rules
 * ask for, so that the time of a look-up does not depend on the number of rules.
 *
 * Of the rules that match, the one of the largest priority counts, of these the one with the most
 * fields, of these the first. (The paper leaves overlaps open.)
 */
class TupleClassifier
{
  public:
    /**
     * @brief Add a rule.
     * @param rule the rule
     */
    void Add(const TupleRule& rule);

    /**
     * @brief Find the class of a packet.
     * @param tuple its headers
     * @return the class; 0 if no rule matches
     */
    uint32_t Find(const SevenTuple& tuple) const;

  private:
    using Bits = std::array<uint8_t, SevenTuple::FIELDS>;    //!< that count, by field
    using Values = std::array<uint64_t, SevenTuple::FIELDS>; //!< these bits

    /// @brief A rule without its fields.
    struct Entry
    {
        uint32_t priority;     //!< of the rule
        uint32_t trafficClass; //!< of the rule
        uint64_t order;        //!< of being added
    };

    /// @brief Rules that ask for the same bits.
    struct Table
    {
        Bits bits;        //!< bits that they ask for
        uint32_t nFields; //!< fields with any bit
        /// The best rule for each value.
        std::unordered_map<Values, Entry, boost::hash<Values>> entries{};
    };

    std::vector<Table> m_tables; //!< one per set of bits
    uint64_t m_added{0};         //!< rules added
};

} // namespace ns3

#endif /* TUPLE_CLASSIFIER_H */
