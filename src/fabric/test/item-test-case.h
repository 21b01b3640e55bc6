/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef ITEM_TEST_CASE_H
#define ITEM_TEST_CASE_H

#include "ns3/fabric-item.h"
#include "ns3/simulator.h"
#include "ns3/test.h"

namespace ns3
{

/**
 * @ingroup fabric-tests
 * @brief A test case that leaves no item behind.
 */
class ItemTestCase : public TestCase
{
  protected:
    using TestCase::TestCase;

  private:
    void DoRun() override
    {
        const uint64_t before = FabricItem::GetLiveCount();
        Check();
        Simulator::Destroy();
        NS_TEST_EXPECT_MSG_EQ(FabricItem::GetLiveCount(), before, "items were left behind");
    }

    /// @brief The test itself.
    virtual void Check() = 0;
};

} // namespace ns3

#endif /* ITEM_TEST_CASE_H */
