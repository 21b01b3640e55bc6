/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef MAX_UPDATE_SKETCH_H
#define MAX_UPDATE_SKETCH_H

#include "hash-family.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <memory>

namespace ns3
{

/**
 * @ingroup telemetry
 * @brief A count-min sketch that remembers a value per flow (AFQ, NSDI 2018, Section 3.2).
 *
 * Each row hashes a flow to one of its columns. A flow's value is the least of its cells, which is
 * never below what was stored for the flow: flows that share a cell can only raise it. Storing
 * raises cells to the new value (conservative update); it does not add to them, as a sketch that
 * counts would.
 */
class MaxUpdateSketch
{
  public:
    static constexpr uint32_t MAX_ROWS = 8; //!< rows at most

    /// @brief The cells of one flow, one at least: found and read at once, and written.
    class Cells
    {
      public:
        /**
         * @brief The flow's value.
         * @return the least of the cells, when they were found
         */
        uint64_t Read() const
        {
            return m_least;
        }

        /**
         * @brief Store the flow's value.
         * @param value cells below it are raised to it
         */
        void Raise(uint64_t value)
        {
            uint32_t row = 0;
            do
            {
                uint64_t& cell = *m_cells[row];
                cell = cell < value ? value : cell;
            } while (++row < m_rows);
        }

        /**
         * @brief Count, as the classic count-min sketch does.
         * @param increment added to every cell
         */
        void Add(uint64_t increment)
        {
            for (uint32_t row = 0; row < m_rows; ++row)
            {
                *m_cells[row] += increment;
            }
        }

      private:
        friend class MaxUpdateSketch;
        std::array<uint64_t*, MAX_ROWS> m_cells; //!< one of each row
        uint32_t m_rows;                         //!< number of rows
        uint64_t m_least{UINT64_MAX};            //!< the least of them
    };

    /**
     * @param rows number of rows (hash functions), 1 to MAX_ROWS
     * @param columns number of cells of a row, at least 1
     */
    MaxUpdateSketch(uint32_t rows, uint32_t columns)
        : m_rows(rows),
          m_columns(columns),
          m_cells(static_cast<uint64_t*>(
              // Untouched pages of a large zeroed block take no memory: a fabric has thousands of
              // ports and each sees few flows.
              std::calloc(static_cast<std::size_t>(rows) * columns, sizeof(uint64_t))))
    {
        if (!m_cells)
        {
            throw std::bad_alloc();
        }
    }

    /**
     * @brief Find a flow's cells.
     * @param flow hash of the flow's 5-tuple
     * @return the cells; valid as long as the sketch
     */
    Cells Find(uint32_t flow)
    {
        Cells cells;
        cells.m_rows = m_rows;
        uint64_t* first = m_cells.get();
        std::size_t row = 0;
        do
        {
            uint64_t* cell = first + GetColumn(flow, row);
            cells.m_cells[row] = cell;
            // Not by a variable: then GCC 12 makes two loops of it, and hashes twice.
            cells.m_least = *cell < cells.m_least ? *cell : cells.m_least;
            first += m_columns;
        } while (++row < m_rows);
        return cells;
    }

    /**
     * @brief The place of a flow's cell in a row.
     * @param flow hash of the flow's 5-tuple
     * @param row number of the row
     * @return number of the column
     */
    uint32_t GetColumn(uint32_t flow, std::size_t row) const
    {
        return ScaleHash(HashFlow(flow, FIRST_FUNCTION + row), m_columns);
    }

    /// @brief Number of rows.
    uint32_t GetRows() const
    {
        return m_rows;
    }

    /// @brief Number of columns.
    uint32_t GetColumns() const
    {
        return m_columns;
    }

  private:
    static constexpr uint32_t FIRST_FUNCTION = 0x5ce7c000; //!< no other user of HashFlow() has it

    /// @brief Frees what calloc() gave.
    struct Free
    {
        void operator()(uint64_t* cells) const
        {
            std::free(cells);
        }
    };

    uint32_t m_rows;                           //!< hash functions
    uint32_t m_columns;                        //!< cells of a row
    std::unique_ptr<uint64_t[], Free> m_cells; //!< row by row
};

} // namespace ns3

#endif /* MAX_UPDATE_SKETCH_H */
