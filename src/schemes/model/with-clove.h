/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef WITH_CLOVE_H
#define WITH_CLOVE_H

#include "clove-edge-agent.h"
#include "network.h"

#include "ns3/object-spec.h"
#include "ns3/string.h"

#include <string>

namespace ns3
{

/**
 * @ingroup schemes
 * @brief A scheme whose hosts find paths by Clove, besides all else that the scheme does.
 * @tparam Base the scheme
 */
template <class Base>
class WithClove : public Base
{
  public:
    void ConfigureFabric(Network& network) override
    {
        CloveEdgeAgent::Create(m_clove); // refuses what is wrong here
        Base::ConfigureFabric(network);
    }

    void ConfigureNodes(Network& network) override
    {
        Base::ConfigureNodes(network);
        CloveEdgeAgent::Install(*network.GetFabric(), m_clove);
    }

  protected:
    /**
     * @brief Add the attribute Clove.
     * @param tid of the class that derives from this one
     * @return the same
     */
    static TypeId AddCloveAttribute(TypeId tid)
    {
        return tid.AddAttribute("Clove",
                                "How flowlets find paths, with its attributes, such as "
                                "clove:Gap=36us or clove:Feedback=Marks",
                                StringValue("clove"),
                                MakeStringAccessor(&WithClove::m_clove),
                                MakeSpecChecker<EdgeAgent>());
    }

  private:
    std::string m_clove; //!< attribute Clove
};

} // namespace ns3

#endif /* WITH_CLOVE_H */
