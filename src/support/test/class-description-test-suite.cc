/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "ns3/class-description.h"
#include "ns3/double.h"
#include "ns3/enum.h"
#include "ns3/nstime.h"
#include "ns3/object-spec.h"
#include "ns3/string.h"
#include "ns3/test.h"
#include "ns3/traced-callback.h"
#include "ns3/uinteger.h"

#include <algorithm>
#include <string>

namespace ns3
{

/**
 * @ingroup support-tests
 * @brief A base whose children can hold one another.
 */
class DescribedBox : public Object
{
  public:
    /**
     * @brief Get the TypeId
     * @return The TypeId for this class
     */
    static TypeId GetTypeId()
    {
        static TypeId tid = TypeId("ns3::DescribedBox").SetParent<Object>();
        return tid;
    }
};

/**
 * @ingroup support-tests
 * @brief A box with attributes.
 */
class RedDescribedBox : public DescribedBox
{
  public:
    /**
     * @brief Get the TypeId
     * @return The TypeId for this class
     */
    static TypeId GetTypeId()
    {
        static TypeId tid = TypeId("ns3::RedDescribedBox")
                                .SetParent<DescribedBox>()
                                .AddConstructor<RedDescribedBox>()
                                .AddAttribute("Inner",
                                              "what is in it",
                                              SpecValue("red"),
                                              MakeSpecAccessor(&RedDescribedBox::m_inner),
                                              MakeSpecChecker<DescribedBox>())
                                .AddAttribute("Read",
                                              "cannot be set",
                                              TypeId::ATTR_GET,
                                              UintegerValue(4),
                                              MakeUintegerAccessor(&RedDescribedBox::m_sides),
                                              MakeUintegerChecker<uint32_t>())
                                .AddTraceSource("Opened",
                                                "somebody looked into it",
                                                MakeTraceSourceAccessor(&RedDescribedBox::m_opened),
                                                "ns3::RedDescribedBox::OpenedTracedCallback");
        return tid;
    }

  private:
    TracedCallback<> m_opened; ///< trace source Opened
    Spec m_inner;              ///< a specification
    uint32_t m_sides{0};       ///< a number
};

NS_OBJECT_ENSURE_REGISTERED(DescribedBox);
NS_OBJECT_ENSURE_REGISTERED(RedDescribedBox);

} // namespace ns3

using namespace ns3;

/**
 * @ingroup support-tests
 * @brief The values that attributes can be set to.
 */
class AttributeFormTestCase : public TestCase
{
  public:
    AttributeFormTestCase()
        : TestCase("Forms of attributes")
    {
    }

  private:
    void DoRun() override
    {
        const auto count = GetAttributeForm(*MakeUintegerChecker<uint32_t>(1, 64));
        NS_TEST_EXPECT_MSG_EQ(count.kind, "integer", "kind");
        NS_TEST_EXPECT_MSG_EQ(count.allowed, "a whole number from 1 to 64", "in words");
        NS_TEST_EXPECT_MSG_EQ(*count.least, 1, "least");
        NS_TEST_EXPECT_MSG_EQ(*count.most, 64, "most");

        const auto number = GetAttributeForm(*MakeDoubleChecker<double>());
        NS_TEST_EXPECT_MSG_EQ(number.allowed, "a number", "any");
        NS_TEST_EXPECT_MSG_EQ(number.least.has_value(), false, "no bound");

        const auto time = GetAttributeForm(*MakeTimeChecker(NanoSeconds(1)));
        NS_TEST_EXPECT_MSG_EQ(time.kind, "time", "kind");
        NS_TEST_EXPECT_MSG_EQ(*time.least, 1e-9, "in seconds");
        NS_TEST_EXPECT_MSG_EQ(time.most.has_value(), false, "no bound");

        const auto colour = GetAttributeForm(*MakeEnumChecker(1, "Red", 2, "DarkBlue"));
        NS_TEST_EXPECT_MSG_EQ(colour.kind, "choice", "kind");
        NS_TEST_ASSERT_MSG_EQ(colour.choices.size(), 2, "choices");
        NS_TEST_EXPECT_MSG_EQ(colour.choices[1], "DarkBlue", "a choice");

        const auto spec = GetAttributeForm(*MakeSpecChecker<DescribedBox>());
        NS_TEST_EXPECT_MSG_EQ(spec.kind, "spec", "kind");
        NS_TEST_EXPECT_MSG_EQ(spec.base, "ns3::DescribedBox", "base");
        NS_TEST_EXPECT_MSG_EQ(spec.several, false, "one");
        const auto specs = GetAttributeForm(*MakeSpecChecker<DescribedBox>(true));
        NS_TEST_EXPECT_MSG_EQ(specs.kind, "spec", "kind");
        NS_TEST_EXPECT_MSG_EQ(specs.base, "ns3::DescribedBox", "base");
        NS_TEST_EXPECT_MSG_EQ(specs.several, true, "several");
        const auto name = GetAttributeForm(*MakeClassNameChecker<DescribedBox>());
        NS_TEST_EXPECT_MSG_EQ(name.kind, "class", "kind");
        NS_TEST_EXPECT_MSG_EQ(name.base, "ns3::DescribedBox", "base");
        NS_TEST_EXPECT_MSG_EQ(GetAttributeForm(*MakeStringChecker()).kind, "text", "any text");
    }
};

/**
 * @ingroup support-tests
 * @brief Classes as JSON.
 */
class ClassDescriptionTestCase : public TestCase
{
  public:
    ClassDescriptionTestCase()
        : TestCase("Descriptions of classes")
    {
    }

  private:
    void DoRun() override
    {
        // The classes of this file are in the program, ns-3's own in a library.
        const auto box = CreateObject<RedDescribedBox>();
        const std::string here = GetLibrary(PeekPointer(box));
        NS_TEST_EXPECT_MSG_EQ(here.empty(), false, "where this is");
        NS_TEST_EXPECT_MSG_EQ(GetLibrary(nullptr), "", "nothing is nowhere");

        const std::string names = DescribeRegisteredNames(DescribedBox::GetTypeId()).GetText();
        NS_TEST_EXPECT_MSG_EQ(names,
                              "{\n  \"red\": {\n    \"class\": \"ns3::RedDescribedBox\",\n"
                              "    \"library\": \"" +
                                  here + "\"\n  }\n}",
                              "names");
        const auto bases = ListSpecBases();
        NS_TEST_EXPECT_MSG_EQ(std::ranges::count(bases, DescribedBox::GetTypeId()), 1, "bases");

        const std::string classes = DescribeClasses().GetText();
        const auto begin = classes.find("\"ns3::RedDescribedBox\": {");
        NS_TEST_ASSERT_MSG_NE(begin, std::string::npos, "all classes");
        const auto text = classes.substr(begin, classes.find("\n  }", begin) - begin);
        for (const auto& part : {"\"parent\": \"ns3::DescribedBox\"",
                                 "\"kind\": \"spec\"",
                                 "\"help\": \"what is in it\"",
                                 "\"default\": \"red\"",
                                 "\"base\": \"ns3::DescribedBox\"",
                                 "\"Opened\": {\n        \"help\": \"somebody looked into it\"",
                                 "\"callback\": \"ns3::RedDescribedBox::OpenedTracedCallback\""})
        {
            NS_TEST_EXPECT_MSG_NE(text.find(part), std::string::npos, part << " in " << text);
        }
        NS_TEST_EXPECT_MSG_NE(text.find("\"library\": \"" + here + "\""),
                              std::string::npos,
                              "the library of an accessor in " << text);
        NS_TEST_EXPECT_MSG_EQ(text.find("Read"), std::string::npos, "only what can be set");
    }
};

/**
 * @ingroup support-tests
 * @brief The test suite of descriptions.
 */
class ClassDescriptionTestSuite : public TestSuite
{
  public:
    ClassDescriptionTestSuite()
        : TestSuite("class-description", Type::UNIT)
    {
        AddTestCase(new AttributeFormTestCase);
        AddTestCase(new ClassDescriptionTestCase);
    }
};

static ClassDescriptionTestSuite g_classDescriptionTestSuite; ///< for test initialization
