/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef MUFAB_REGISTERS_H
#define MUFAB_REGISTERS_H

#include "ns3/bloom-filter.h"
#include "ns3/nstime.h"

#include <boost/unordered/unordered_flat_map.hpp>
#include <cstdint>
#include <memory>
#include <optional>

namespace ns3
{

/**
 * @ingroup mufab
 * @brief Values that a probe tells a port of its pair.
 */
struct PairClaim
{
    double tokens{0}; //!< phi of the pair
    double window{0}; //!< w of the pair at this link, in bytes
};

/**
 * @ingroup mufab
 * @brief A probe or finish probe, as registers see it.
 */
struct ClaimUpdate
{
    uint64_t key{0};              //!< of pair and path
    uint32_t sequence{0};         //!< of the pair's probes on this path
    uint32_t version{0};          //!< of the claim: a probe that is sent again has the same
    PairClaim claim;              //!< the current claim
    uint32_t confirmedVersion{0}; //!< of the claim that was answered last; 0: none was
    PairClaim confirmed;          //!< the claim that was answered last
};

/**
 * @ingroup mufab
 * @brief The two registers of a port, Phi and W, and how probes are folded into them (uFAB Sections
 * 3.6 and 4.2).
 *
 * The paper says how an unseen pair is added, and that a finish probe subtracts it. It does not say
 * how a switch learns what has changed of a pair that it has seen. Each kind of registers is an
 * answer.
 */
class MufabRegisters
{
  public:
    MufabRegisters() = default;
    virtual ~MufabRegisters() = default;
    MufabRegisters(const MufabRegisters&) = delete;
    MufabRegisters& operator=(const MufabRegisters&) = delete;

    /**
     * @brief A probe came.
     * @param update the claim of the probe
     * @param now the current time, in time steps
     */
    virtual void Fold(const ClaimUpdate& update, int64_t now) = 0;

    /**
     * @brief A finish probe came: the pair has left. One that is not there stays away.
     * @param update the claim of the finish probe
     * @param now the current time, in time steps
     */
    virtual void Remove(const ClaimUpdate& update, int64_t now) = 0;

    /**
     * @brief Bring the registers up to a time: what is periodic happens when somebody looks.
     * @param now the current time, in time steps
     */
    virtual void Advance(int64_t now) = 0;

    /**
     * @brief Pairs known. For tests and results; a switch of some kinds cannot tell.
     * @return number of pairs
     */
    virtual std::size_t GetPairs() const = 0;

    /**
     * @brief Phi and W.
     * @return the sums that the port reports
     */
    PairClaim GetSums() const
    {
        return m_sums;
    }

    /**
     * @brief Times that a register would have gone below 0.
     * @return number of times
     */
    uint64_t GetUnderflows() const
    {
        return m_underflows;
    }

  protected:
    /**
     * @brief Add to the registers what is new.
     * @param now the pair's current claim
     * @param before the claim that the registers hold of it
     */
    void Replace(const PairClaim& now, const PairClaim& before);

    PairClaim m_sums; //!< Phi and W

  private:
    uint64_t m_underflows{0}; //!< times that a register would have gone below 0
};

/**
 * @ingroup mufab
 * @brief Registers of a port that remembers pairs, by a table or a filter, until a finish probe, or
 * until no probe has come for a whole cleaning period.
 *
 * In front of the table there may be a Bloom filter as in the paper: a new pair that it takes for
 * known is not added.
 */
template <class Entry>
class RememberingRegisters : public MufabRegisters
{
  public:
    /**
     * @brief Make registers.
     * @param cleaningPeriod in time steps
     * @param filter stands in front; nullptr: none does
     */
    RememberingRegisters(int64_t cleaningPeriod, std::unique_ptr<BloomFilter> filter)
        : m_period(cleaningPeriod),
          m_filter(std::move(filter))
    {
    }

    std::size_t GetPairs() const override
    {
        return m_entries.size();
    }

    /**
     * @brief New pairs that the filter took for known.
     * @return number of pairs so far
     */
    uint64_t GetOmissions() const
    {
        return m_omissions;
    }

    void Advance(int64_t now) override
    {
        const int64_t boundary = now / m_period * m_period;
        if (boundary == m_cleaned)
        {
            return;
        }
        m_cleaned = boundary;
        boost::unordered::erase_if(m_entries, [this, boundary](const auto& known) {
            const bool silent = known.second.lastSeen < boundary - m_period;
            if (silent)
            {
                Forget(known.first, known.second);
            }
            return silent;
        });
    }

  protected:
    /// @brief A pair that is known.
    struct Known
    {
        Entry entry{};         //!< record of the pair
        int64_t lastSeen{0};   //!< arrival of its last probe
        uint32_t sequence{0};  //!< of that probe
        bool isOmitted{false}; //!< true if it is not in the sums
    };

    /**
     * @brief Look a pair up, and add it if it is new.
     * @param update the claim of its probe
     * @param now the current time
     * @return the pair; nullptr if the probe is older than the last one seen
     */
    Known* Touch(const ClaimUpdate& update, int64_t now)
    {
        Advance(now);
        const auto [found, isNew] = m_entries.try_emplace(update.key);
        Known& known = found->second;
        if (isNew)
        {
            known.isOmitted = m_filter && !m_filter->Add(update.key);
            m_omissions += known.isOmitted;
        }
        else if (update.sequence < known.sequence)
        {
            return nullptr;
        }
        known.lastSeen = now;
        known.sequence = update.sequence;
        return &known;
    }

    /**
     * @brief Take a pair out, if it is there and the finish probe is not older than its last probe.
     * @param update the claim of the finish probe
     * @param now the current time
     * @return the pair as it was known; nothing if there is nothing to subtract
     */
    std::optional<Known> Take(const ClaimUpdate& update, int64_t now)
    {
        Advance(now);
        const auto found = m_entries.find(update.key);
        if (found == m_entries.end() || update.sequence < found->second.sequence)
        {
            return std::nullopt;
        }
        const Known known = found->second;
        m_entries.erase(found);
        if (known.isOmitted)
        {
            return std::nullopt;
        }
        if (m_filter)
        {
            m_filter->Remove(update.key);
        }
        return known;
    }

    /**
     * @brief A pair was silent for a period: subtract it.
     * @param entry its record
     */
    virtual void Subtract(const Entry& entry) = 0;

  private:
    void Forget(uint64_t key, const Known& known)
    {
        if (known.isOmitted)
        {
            return;
        }
        Subtract(known.entry);
        if (m_filter)
        {
            m_filter->Remove(key);
        }
    }

    boost::unordered_flat_map<uint64_t, Known> m_entries; //!< by pair and path
    int64_t m_period;                                     //!< cleaning period
    int64_t m_cleaned{0};                                 //!< last boundary of it that has passed
    std::unique_ptr<BloomFilter> m_filter;                //!< nullptr: none
    uint64_t m_omissions{0};                              //!< pairs that the filter took for known
};

/**
 * @ingroup mufab
 * @brief The port keeps the claim of each pair and adds the difference.
 */
class ExactRegisters final : public RememberingRegisters<PairClaim>
{
  public:
    using RememberingRegisters::RememberingRegisters;

    void Fold(const ClaimUpdate& update, int64_t now) override;
    void Remove(const ClaimUpdate& update, int64_t now) override;

  private:
    void Subtract(const PairClaim& entry) override;
};

/**
 * @ingroup mufab
 * @brief The port knows of each pair only which of its claims it has added; the probe tells what
 * the claims are.
 *
 * The edge changes a claim only when the last one was answered, and a probe that is sent again
 * tells the same as the first one (version). So the port has added either the claim that was
 * answered last or the one that is under way: one bit tells which, and the difference is known. For
 * cleaning it keeps the claim all the same, which a switch would rebuild.
 */
class DeltaRegisters final : public RememberingRegisters<std::pair<uint32_t, PairClaim>>
{
  public:
    using RememberingRegisters::RememberingRegisters;

    void Fold(const ClaimUpdate& update, int64_t now) override;
    void Remove(const ClaimUpdate& update, int64_t now) override;

  private:
    void Subtract(const std::pair<uint32_t, PairClaim>& entry) override;
};

} // namespace ns3

#endif /* MUFAB_REGISTERS_H */
