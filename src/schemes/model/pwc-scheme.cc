/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "pwc-scheme.h"

namespace ns3
{

NS_OBJECT_ENSURE_REGISTERED(PwcPairScheme);

TypeId
PwcPairScheme::GetTypeId()
{
    static TypeId tid =
        TypeId("ns3::PwcPairScheme").SetParent<PairScheme>().SetGroupName("Schemes");
    return tid;
}

std::string
PwcPairScheme::GetDefaultController() const
{
    return "pwc";
}

std::string
PwcPairScheme::GetDefaultTenants() const
{
    return "groups"; // as uFAB
}

PairEdge::Answers
PwcPairScheme::GetDefaultAnswers() const
{
    return PairEdge::NO_PAIR; // as uFAB
}

/**
 * @ingroup schemes
 * @brief PicNIC' alone: receivers grant rates (EyeQ), flow ECMP.
 */
class PicnicScheme : public PwcPairScheme
{
  public:
    /**
     * @brief Get the type ID.
     * @return the object TypeId
     */
    static TypeId GetTypeId()
    {
        static TypeId tid = TypeId("ns3::PicnicScheme")
                                .SetParent<PwcPairScheme>()
                                .SetGroupName("Schemes")
                                .AddConstructor<PicnicScheme>();
        return tid;
    }

    std::string GetSummary() const override
    {
        return "PicNIC' (bandwidth part, as EyeQ): receivers grant rates, flow ECMP";
    }

  protected:
    std::map<std::string, std::string> GetControllerDefaults() const override
    {
        return {{"Wcc", "false"}};
    }
};

NS_OBJECT_ENSURE_REGISTERED(PicnicScheme);

/**
 * @ingroup schemes
 * @brief WCC alone: a Swift per VM pair, weighted by guarantees, flow ECMP.
 */
class SwiftWccScheme : public PwcPairScheme
{
  public:
    /**
     * @brief Get the type ID.
     * @return the object TypeId
     */
    static TypeId GetTypeId()
    {
        static TypeId tid = TypeId("ns3::SwiftWccScheme")
                                .SetParent<PwcPairScheme>()
                                .SetGroupName("Schemes")
                                .AddConstructor<SwiftWccScheme>();
        return tid;
    }

    std::string GetSummary() const override
    {
        return "WCC: VM pairs have a Swift window, weighted by guarantees, flow ECMP";
    }

  protected:
    std::map<std::string, std::string> GetControllerDefaults() const override
    {
        return {{"Picnic", "false"}};
    }
};

NS_OBJECT_ENSURE_REGISTERED(SwiftWccScheme);
NS_OBJECT_ENSURE_REGISTERED(PwcScheme);

TypeId
PwcScheme::GetTypeId()
{
    static TypeId tid = AddCloveAttribute(TypeId("ns3::PwcScheme")
                                              .SetParent<PwcPairScheme>()
                                              .SetGroupName("Schemes")
                                              .AddConstructor<PwcScheme>());
    return tid;
}

std::string
PwcScheme::GetSummary() const
{
    return "PicNIC' + WCC + Clove: receivers grant rates, weighted Swift, flowlets";
}

} // namespace ns3
