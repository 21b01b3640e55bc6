/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef RESULTS_H
#define RESULTS_H

#include <cstddef>
#include <map>
#include <string>
#include <vector>

namespace ns3
{

/**
 * @ingroup support
 * @brief The results of a run: a row for each number and its source, and totals over all of them.
 *
 * Whatever stands in a network and knows something that nobody else does (a discipline, a stage, an
 * agent, a transport, a scheme, a recorder) has a method `ReportResults(Results&)` that says it.
 * Who collects says by SetSource() who is asked. Names end in their unit ("paused_max_s"), as those
 * of columns do, and mean the same whoever reports them: their total is told beside the rows.
 */
class Results
{
  public:
    /// @brief The source of a number.
    struct Source
    {
        std::string kind;    //!< kind, such as "switch-port"
        std::string name;    //!< its name among those of its kind, such as "leaf0:3"
        bool inTotals{true}; //!< true if totals include its numbers
    };

    /// @brief A number from one source.
    struct Row
    {
        Source source;    //!< source of the number
        std::string name; //!< name of the quantity
        double value;     //!< the number; NaN: it does not exist
    };

    /// @brief A number over all sources.
    struct Total
    {
        std::string kind; //!< kind of the first source that reports it
        std::string name; //!< name of the quantity
        double value;     //!< the number; NaN: it does not exist
    };

    /**
     * @brief Say who reports from now on.
     * @param source the source
     */
    void SetSource(const Source& source)
    {
        m_source = source;
    }

    /**
     * @brief Have a part of the present source report under its own name, such as
     * "leaf0:3/queue1".
     * @param part name of the part
     * @param report calls the part's ReportResults()
     */
    template <class Report>
    void ReportPart(const std::string& part, const Report& report)
    {
        const std::string whole = m_source.name;
        m_source.name += "/" + part;
        report();
        m_source.name = whole;
    }

    /**
     * @brief Add a count or an amount: the total is the sum.
     * @param name name of the quantity
     * @param value the count or amount; NaN: it does not exist
     */
    void Add(const std::string& name, double value);

    /**
     * @brief Add the most of something: the total is the highest.
     * @param name name of the quantity
     * @param value the number
     */
    void AddMaximum(const std::string& name, double value);

    /**
     * @brief Add a share or a mean: the total is the sum of the dividends over that of the
     * divisors.
     * @param name name of the quantity
     * @param dividend of what is reported
     * @param divisor of what is reported; 0: there is nothing to report
     */
    void AddRatio(const std::string& name, double dividend, double divisor);

    /**
     * @brief All rows.
     * @return in the order of being added
     */
    const std::vector<Row>& GetRows() const
    {
        return m_rows;
    }

    /**
     * @brief The totals over all sources.
     * @return in the order in which their names came up
     */
    std::vector<Total> GetTotals() const;

    /**
     * @brief Write `kind,source,name,value`, a line per row.
     * @param path the file
     * @throws InputError naming --out if the file cannot be written
     */
    void Write(const std::string& path) const;

  private:
    /// @brief The way in which numbers of several sources add up.
    enum class Rule
    {
        SUM,
        MAXIMUM,
        RATIO
    };

    /// @brief The total so far of a quantity.
    struct Sum
    {
        std::string kind;   //!< of the first source
        std::string name;   //!< name of the quantity
        Rule rule;          //!< way in which sources add up
        double dividend{0}; //!< sum or maximum of the values, or of dividends
        double divisor{0};  //!< sum of divisors
    };

    /**
     * @brief Add a row.
     * @param name name of the quantity
     * @param value the number
     * @param rule way in which sources add up
     * @return the total so far of that quantity; nullptr if the source is in no total
     */
    Sum* AddRow(const std::string& name, double value, Rule rule);

    Source m_source;                              //!< source of what is reported now
    std::vector<Row> m_rows;                      //!< all
    std::vector<Sum> m_sums;                      //!< totals so far
    std::map<std::string, std::size_t> m_indices; //!< of names in m_sums
};

} // namespace ns3

#endif /* RESULTS_H */
