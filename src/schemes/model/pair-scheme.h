/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef PAIR_SCHEME_H
#define PAIR_SCHEME_H

#include "tcp-host-scheme.h"

#include "ns3/pair-edge.h"

#include <map>
#include <string>

namespace ns3
{

/**
 * @ingroup schemes
 * @brief What schemes with VM pairs have in common: a channel per pair at each host's port, ruled
 * by a controller.
 */
class PairScheme : public TcpHostScheme
{
  public:
    /**
     * @brief Get the type ID.
     * @return the object TypeId
     */
    static TypeId GetTypeId();

    Ptr<TenantSource> CreateDefaultTenants() const override;
    void ConfigureFabric(Network& network) override;
    void ConfigureNodes(Network& network) override;
    void ReportResults(const Network& network, Results& results) const override;
    int64_t AssignStreams(int64_t stream) override;

  protected:
    /**
     * @brief What rules the channels of a host, unless the user says otherwise.
     * @return the specification of a PairController
     */
    virtual std::string GetDefaultController() const = 0;

    /**
     * @brief Attributes that the scheme's own controller has, unless the user says otherwise.
     * @return values by name; none unless a subclass says so
     */
    virtual std::map<std::string, std::string> GetControllerDefaults() const;

    /**
     * @brief Who rents a network of which the user says nothing, unless DefaultTenants says it.
     * @return the specification of a TenantSource
     */
    virtual std::string GetDefaultTenants() const;

    /**
     * @brief Which channel the answers to a pair's data use, unless the user says otherwise.
     * @return that of the reverse pair, unless a subclass says otherwise
     */
    virtual PairEdge::Answers GetDefaultAnswers() const;

    std::string GetDefaultHostQueue() const override;
    std::string GetCongestionOps() const override;

  private:
    /// @brief Values of the attribute Answers.
    enum Answers
    {
        AS_THE_SCHEME, //!< GetDefaultAnswers()
        REVERSE_PAIR,  //!< PairEdge::REVERSE_PAIR
        NO_PAIR        //!< PairEdge::NO_PAIR
    };

    std::string m_controller;     //!< attribute Controller
    std::string m_defaultTenants; //!< attribute DefaultTenants
    Answers m_answers;            //!< attribute Answers
    Ptr<PairEdge> m_edge;         //!< the edge of the network
};

} // namespace ns3

#endif /* PAIR_SCHEME_H */
