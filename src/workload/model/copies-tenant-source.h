/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef COPIES_TENANT_SOURCE_H
#define COPIES_TENANT_SOURCE_H

#include "tenant-source.h"

#include "ns3/random-variable-stream.h"

#include <string>
#include <vector>

namespace ns3
{

/**
 * @ingroup workload
 * @brief Tenants as statements, many times, each time on other hosts:
 * `copies:Number=500,Of={tenant A hosts=0,1 hose=1Gbps; tenant B hosts=2,3 hose=1Gbps}`.
 *
 * What is a host in the statements is a place here. For each copy every place is given a host at
 * random, no two places the same; a copy is drawn again if its guarantees do not fit beside those
 * before it. Tenants of copy 7 are called A-7, B-7.
 */
class CopiesTenantSource : public TenantSource
{
  public:
    /**
     * @brief Get the type ID.
     * @return the object TypeId
     */
    static TypeId GetTypeId();
    CopiesTenantSource();

    std::string GetSummary() const override;
    int64_t AssignStreams(int64_t stream) override;

  private:
    void Fill(TenantTable& table, const Fabric& fabric, const std::string& argument) const override;

    /**
     * @brief Draw hosts.
     * @param hosts number of hosts
     * @param places number of hosts to draw
     * @return the host of each place, no two the same
     */
    std::vector<uint32_t> DrawHosts(uint32_t hosts, uint32_t places) const;

    std::string m_statements; //!< attribute Of
    uint32_t m_number;        //!< attribute Number

    Ptr<UniformRandomVariable> m_random; //!< hosts
};

} // namespace ns3

#endif /* COPIES_TENANT_SOURCE_H */
