/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef BLOOM_FILTER_H
#define BLOOM_FILTER_H

#include "hash-family.h"

#include <cstdint>
#include <vector>

namespace ns3
{

/**
 * @ingroup telemetry
 * @brief A Bloom filter in banks: one hash function each, so that a switch reads all at once (uFAB,
 * SIGCOMM 2022, Section 4.2: 20 KB, two hashes).
 *
 * A key that was added is always found, one that was not sometimes. Keys can be removed exactly as
 * long as cells count; cells of one bit are merely cleared, and other keys that need the bit are
 * then no longer found. A counter that is full stays full.
 */
class BloomFilter
{
  public:
    /**
     * @param bytes memory of all banks
     * @param banks number of banks, at least 1
     * @param cellBits bits of a cell: 1, 2, 4 or 8
     */
    explicit BloomFilter(uint32_t bytes = 20480, uint32_t banks = 2, uint32_t cellBits = 1);

    /**
     * @brief Add a key, unless it seems to be there.
     * @param key the key
     * @return false if it seemed to be there, and nothing was changed
     */
    bool Add(uint64_t key);

    /**
     * @brief Look for a key.
     * @param key the key
     * @return false if it was not added
     */
    bool Contains(uint64_t key) const;

    /**
     * @brief Remove a key.
     * @param key one for which Add() returned true, and that was not removed since
     */
    void Remove(uint64_t key);

    /// @brief Remove all keys.
    void Clear();

    /// @brief Cells of a bank.
    uint32_t GetCells() const
    {
        return m_cells;
    }

    /**
     * @brief The place of a key's cell in a bank.
     * @param key the key
     * @param bank number of the bank
     * @return number of the cell
     */
    uint32_t GetCell(uint64_t key, uint32_t bank) const
    {
        return ScaleHash(HashKey(key, bank), m_cells);
    }

    /**
     * @brief Share of a bank's cells that are in use.
     * @param bank number of the bank
     * @return 0 to 1
     */
    double GetFill(uint32_t bank) const;

    /**
     * @brief The probability, in theory, that a key that was not added is found all the same.
     * @param keys that were added
     * @return 0 to 1
     */
    double GetFalsePositiveRate(double keys) const;

  private:
    /// @brief A cell within the memory.
    struct Place
    {
        uint32_t word;  //!< number of the word
        uint32_t shift; //!< of the cell within it
    };

    Place FindCell(uint32_t bank, uint32_t cell) const;
    uint64_t Read(const Place& place) const;

    uint32_t m_banks;              //!< number of banks
    uint32_t m_cellBits;           //!< bits of a cell
    uint64_t m_full;               //!< greatest value of a cell
    uint32_t m_cells;              //!< cells of a bank
    std::vector<uint64_t> m_words; //!< bank by bank
};

} // namespace ns3

#endif /* BLOOM_FILTER_H */
