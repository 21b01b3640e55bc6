/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "ns3/near-names.h"
#include "ns3/test.h"

using namespace ns3;

/**
 * @ingroup support-tests
 * @brief The names near to a wrong one.
 */
class NearNamesTestCase : public TestCase
{
  public:
    NearNamesTestCase()
        : TestCase("names by nearness, and the one that is suggested")
    {
    }

  private:
    void DoRun() override
    {
        const std::vector<std::string> names{"--load", "--topology", "--out", "--loads"};
        const std::vector<std::string> sorted{"--out", "--load", "--loads", "--topology"};
        NS_TEST_EXPECT_MSG_EQ((SortByNearness("--oute", names) == sorted), true, "out is nearest");
        Expect("--lod", "--load");   // a character is missing
        Expect("--loadx", "--load"); // of two at the same distance the first
        Expect("--laod", "--load");  // two of six are wrong: the most that is suggested
        Expect("--topolgoy", "--topology");
        Expect("--duration", "");
        Expect("", "");
        NS_TEST_EXPECT_MSG_EQ(SuggestName("--load", {}), "", "nothing to suggest");
    }

    /**
     * @param word the name the user wrote
     * @param name the name that is suggested, or nothing
     */
    void Expect(const std::string& word, const std::string& name)
    {
        const std::string text = name.empty() ? "" : " (did you mean '" + name + "'?)";
        const std::string found = SuggestName(word, {"--load", "--topology", "--out", "--loads"});
        NS_TEST_EXPECT_MSG_EQ(found, text, "for " << word);
    }
};

/**
 * @ingroup support-tests
 * @brief Tests of SortByNearness() and SuggestName().
 */
class NearNamesTestSuite : public TestSuite
{
  public:
    NearNamesTestSuite()
        : TestSuite("near-names", Type::UNIT)
    {
        AddTestCase(new NearNamesTestCase);
    }
};

static NearNamesTestSuite g_nearNamesTestSuite; //!< Static variable for test initialization
