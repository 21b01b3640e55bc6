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

} // namespace ns3
