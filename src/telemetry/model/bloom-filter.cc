/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "bloom-filter.h"

#include "ns3/assert.h"

#include <algorithm>
#include <cmath>

namespace ns3
{

namespace
{

constexpr uint32_t WORD_BITS = 64;

} // namespace

BloomFilter::BloomFilter(uint32_t bytes, uint32_t banks, uint32_t cellBits)
    : m_banks(banks),
      m_cellBits(cellBits),
      m_full((uint64_t{1} << cellBits) - 1),
      m_cells(static_cast<uint32_t>(uint64_t{bytes} * 8 / cellBits / banks)),
      m_words((uint64_t{m_cells} * banks * cellBits + WORD_BITS - 1) / WORD_BITS)
{
    NS_ASSERT(cellBits == 1 || cellBits == 2 || cellBits == 4 || cellBits == 8);
    NS_ASSERT(m_cells > 0);
}

BloomFilter::Place
BloomFilter::FindCell(uint32_t bank, uint32_t cell) const
{
    const uint64_t bit = (uint64_t{bank} * m_cells + cell) * m_cellBits;
    return {static_cast<uint32_t>(bit / WORD_BITS), static_cast<uint32_t>(bit % WORD_BITS)};
}

uint64_t
BloomFilter::Read(const Place& place) const
{
    return m_words[place.word] >> place.shift & m_full;
}

bool
BloomFilter::Contains(uint64_t key) const
{
    for (uint32_t bank = 0; bank < m_banks; ++bank)
    {
        if (Read(FindCell(bank, GetCell(key, bank))) == 0)
        {
            return false;
        }
    }
    return true;
}

bool
BloomFilter::Add(uint64_t key)
{
    if (Contains(key))
    {
        return false;
    }
    for (uint32_t bank = 0; bank < m_banks; ++bank)
    {
        const Place place = FindCell(bank, GetCell(key, bank));
        if (Read(place) < m_full)
        {
            m_words[place.word] += uint64_t{1} << place.shift;
        }
    }
    return true;
}

void
BloomFilter::Remove(uint64_t key)
{
    for (uint32_t bank = 0; bank < m_banks; ++bank)
    {
        const Place place = FindCell(bank, GetCell(key, bank));
        const uint64_t count = Read(place);
        if (count > 0 && (count < m_full || m_full == 1)) // a full counter has lost count
        {
            m_words[place.word] -= uint64_t{1} << place.shift;
        }
    }
}

void
BloomFilter::Clear()
{
    std::fill(m_words.begin(), m_words.end(), 0);
}

double
BloomFilter::GetFill(uint32_t bank) const
{
    uint32_t used = 0;
    for (uint32_t cell = 0; cell < m_cells; ++cell)
    {
        used += Read(FindCell(bank, cell)) > 0;
    }
    return static_cast<double>(used) / m_cells;
}

double
BloomFilter::GetFalsePositiveRate(double keys) const
{
    return std::pow(1 - std::pow(1 - 1.0 / m_cells, keys), m_banks);
}

} // namespace ns3
