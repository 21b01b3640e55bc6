/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "mufab-registers.h"

namespace ns3
{

void
MufabRegisters::Replace(const PairClaim& now, const PairClaim& before)
{
    const auto change = [this](double& sum, double difference) {
        sum += difference;
        // Sums of fractions do not end at exactly 0.
        if (sum < 1e-6)
        {
            m_underflows += sum < -1e-3;
            sum = 0;
        }
    };
    change(m_sums.tokens, now.tokens - before.tokens);
    change(m_sums.window, now.window - before.window);
}

void
ExactRegisters::Fold(const ClaimUpdate& update, int64_t now)
{
    if (Known* known = Touch(update, now))
    {
        if (!known->isOmitted)
        {
            Replace(update.claim, known->entry);
        }
        known->entry = update.claim;
    }
}

void
ExactRegisters::Remove(const ClaimUpdate& update, int64_t now)
{
    if (const auto known = Take(update, now))
    {
        Subtract(known->entry);
    }
}

void
ExactRegisters::Subtract(const PairClaim& entry)
{
    Replace({}, entry);
}

void
DeltaRegisters::Fold(const ClaimUpdate& update, int64_t now)
{
    Known* known = Touch(update, now);
    if (!known)
    {
        return;
    }
    auto& [version, claim] = known->entry;
    const bool isConfirmed = version != 0 && version == update.confirmedVersion;
    if (version != update.version && !known->isOmitted)
    {
        Replace(update.claim, isConfirmed ? update.confirmed : PairClaim{});
    }
    version = update.version;
    claim = update.claim;
}

void
DeltaRegisters::Remove(const ClaimUpdate& update, int64_t now)
{
    if (const auto known = Take(update, now))
    {
        const bool isConfirmed = known->entry.first == update.confirmedVersion;
        Replace({}, isConfirmed ? update.confirmed : update.claim);
    }
}

void
DeltaRegisters::Subtract(const std::pair<uint32_t, PairClaim>& entry)
{
    Replace({}, entry.second);
}

void
EpochRegisters::Fold(const ClaimUpdate& update, int64_t now)
{
    Advance(now);
    if (m_seen.insert(update.key).second)
    {
        Replace(update.claim, {});
    }
}

void
EpochRegisters::Remove(const ClaimUpdate& update, int64_t now)
{
    Advance(now);
    if (m_seen.erase(update.key) > 0)
    {
        Replace({}, update.claim);
    }
}

void
EpochRegisters::Advance(int64_t now)
{
    const int64_t number = now / m_epoch;
    if (number == m_number)
    {
        return;
    }
    m_complete = number == m_number + 1 ? m_sums : PairClaim{};
    m_number = number;
    m_sums = {};
    m_seen.clear();
}

} // namespace ns3
