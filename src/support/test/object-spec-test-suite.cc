/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "ns3/boolean.h"
#include "ns3/data-rate.h"
#include "ns3/double.h"
#include "ns3/enum.h"
#include "ns3/input-error.h"
#include "ns3/integer.h"
#include "ns3/nstime.h"
#include "ns3/object-settings.h"
#include "ns3/object-spec.h"
#include "ns3/pointer.h"
#include "ns3/queue-limit.h"
#include "ns3/queue-size.h"
#include "ns3/string.h"
#include "ns3/test.h"
#include "ns3/uinteger.h"

#include <functional>
#include <string>
#include <vector>

namespace ns3
{

/**
 * @ingroup support-tests
 * @brief A base that cannot be created.
 */
class SpecShape : public Object
{
  public:
    /**
     * @brief Get the TypeId
     * @return The TypeId for this class
     */
    static TypeId GetTypeId()
    {
        static TypeId tid = TypeId("ns3::SpecShape")
                                .SetParent<Object>()
                                .AddAttribute("Sides",
                                              "how many",
                                              UintegerValue(4),
                                              MakeUintegerAccessor(&SpecShape::m_sides),
                                              MakeUintegerChecker<uint32_t>(1, 64));
        return tid;
    }

    uint32_t m_sides{0}; ///< an unsigned attribute
};

/**
 * @ingroup support-tests
 * @brief A class with an attribute of each kind that ns-3 reads in its own way.
 */
class FatTreeSpecShape : public SpecShape
{
  public:
    /// An enumeration.
    enum Colour
    {
        RED,
        DARK_BLUE
    };

    /**
     * @brief Get the TypeId
     * @return The TypeId for this class
     */
    static TypeId GetTypeId()
    {
        static TypeId tid = TypeId("ns3::FatTreeSpecShape")
                                .SetParent<SpecShape>()
                                .AddConstructor<FatTreeSpecShape>()
                                .AddAttribute("Offset",
                                              "integer",
                                              IntegerValue(0),
                                              MakeIntegerAccessor(&FatTreeSpecShape::m_offset),
                                              MakeIntegerChecker<int32_t>())
                                .AddAttribute("Load",
                                              "double",
                                              DoubleValue(0.5),
                                              MakeDoubleAccessor(&FatTreeSpecShape::m_load),
                                              MakeDoubleChecker<double>(0, 1))
                                .AddAttribute("Delay",
                                              "time",
                                              TimeValue(Seconds(1)),
                                              MakeTimeAccessor(&FatTreeSpecShape::m_delay),
                                              MakeTimeChecker(Seconds(0)))
                                .AddAttribute("Rate",
                                              "rate",
                                              DataRateValue(DataRate("1Gbps")),
                                              MakeDataRateAccessor(&FatTreeSpecShape::m_rate),
                                              MakeDataRateChecker())
                                .AddAttribute("Pace",
                                              "rate above 0",
                                              DataRateValue(DataRate("1Gbps")),
                                              MakeDataRateAccessor(&FatTreeSpecShape::m_pace),
                                              MakePositiveRateChecker())
                                .AddAttribute("Queue",
                                              "queue size",
                                              QueueSizeValue(QueueSize("10p")),
                                              MakeQueueSizeAccessor(&FatTreeSpecShape::m_queue),
                                              MakeQueueSizeChecker())
                                .AddAttribute("Colour",
                                              "enumeration",
                                              EnumValue(RED),
                                              MakeEnumAccessor<Colour>(&FatTreeSpecShape::m_colour),
                                              MakeEnumChecker(RED, "Red", DARK_BLUE, "DarkBlue"))
                                .AddAttribute("Solid",
                                              "boolean",
                                              BooleanValue(false),
                                              MakeBooleanAccessor(&FatTreeSpecShape::m_solid),
                                              MakeBooleanChecker())
                                .AddAttribute("Text",
                                              "string",
                                              StringValue(""),
                                              MakeStringAccessor(&FatTreeSpecShape::m_text),
                                              MakeStringChecker())
                                .AddAttribute("Part",
                                              "specification",
                                              SpecValue(""),
                                              MakeSpecAccessor(&FatTreeSpecShape::m_part),
                                              MakeSpecChecker<SpecShape>(true))
                                .AddAttribute("Inner",
                                              "object",
                                              PointerValue(),
                                              MakePointerAccessor(&FatTreeSpecShape::m_inner),
                                              MakePointerChecker<SpecShape>());
        return tid;
    }

    int32_t m_offset;       ///< an integer
    double m_load;          ///< a number
    Time m_delay;           ///< a time
    DataRate m_rate;        ///< a rate
    DataRate m_pace;        ///< a rate above 0
    QueueSize m_queue;      ///< a queue size
    Colour m_colour;        ///< an enumeration
    bool m_solid;           ///< a truth value
    std::string m_text;     ///< a text
    Spec m_part;            ///< a specification
    Ptr<SpecShape> m_inner; ///< an object
};

/**
 * @ingroup support-tests
 * @brief A class with a number in its name, derived at second hand.
 */
class Vl2SpecShape : public FatTreeSpecShape
{
  public:
    /**
     * @brief Get the TypeId
     * @return The TypeId for this class
     */
    static TypeId GetTypeId()
    {
        static TypeId tid = TypeId("ns3::Vl2SpecShape")
                                .SetParent<FatTreeSpecShape>()
                                .AddConstructor<Vl2SpecShape>();
        return tid;
    }
};

/**
 * @ingroup support-tests
 * @brief A class with an abbreviation in its name, which does not end like its base.
 */
class SpecECNMarker : public SpecShape
{
  public:
    /**
     * @brief Get the TypeId
     * @return The TypeId for this class
     */
    static TypeId GetTypeId()
    {
        static TypeId tid =
            TypeId("ns3::SpecECNMarker").SetParent<SpecShape>().AddConstructor<SpecECNMarker>();
        return tid;
    }
};

NS_OBJECT_ENSURE_REGISTERED(SpecShape);
NS_OBJECT_ENSURE_REGISTERED(FatTreeSpecShape);
NS_OBJECT_ENSURE_REGISTERED(Vl2SpecShape);
NS_OBJECT_ENSURE_REGISTERED(SpecECNMarker);

} // namespace ns3

using namespace ns3;

/**
 * @ingroup support-tests
 * @brief Names of registered classes.
 */
class ObjectSpecNameTestCase : public TestCase
{
  public:
    ObjectSpecNameTestCase()
        : TestCase("Names of registered classes")
    {
    }

  private:
    void DoRun() override
    {
        const auto base = SpecShape::GetTypeId();
        const std::vector<std::string> expected{"fat-tree", "spec-ecn-marker", "vl2"};
        NS_TEST_EXPECT_MSG_EQ((ListRegisteredNames(base) == expected), true, "names, sorted");
        NS_TEST_EXPECT_MSG_EQ(LookupRegisteredName("--shape", "vl2", base),
                              Vl2SpecShape::GetTypeId(),
                              "class of a name");
        NS_TEST_EXPECT_MSG_EQ(ListRegisteredNames(Vl2SpecShape::GetTypeId()).size(),
                              0,
                              "a class is not derived from itself");
    }
};

/**
 * @ingroup support-tests
 * @brief Objects created with attributes.
 */
class ObjectSpecCreateTestCase : public TestCase
{
  public:
    ObjectSpecCreateTestCase()
        : TestCase("Objects with attributes")
    {
    }

  private:
    void DoRun() override
    {
        auto plain = CreateFromSpec<SpecShape>("--shape", "vl2");
        NS_TEST_EXPECT_MSG_EQ(plain->GetInstanceTypeId(), Vl2SpecShape::GetTypeId(), "class");
        NS_TEST_EXPECT_MSG_EQ(plain->m_sides, 4, "default");

        auto shape = DynamicCast<FatTreeSpecShape>(CreateFromSpec<SpecShape>(
            "--shape",
            "vl2:Sides=5,Offset=-3,Load=1e-3,Delay=1.5us,Rate=40Gbps,Queue=3KiB,Colour=DarkBlue,"
            "Solid=true,Text={a=1,b=[2,3]},Inner=ns3::FatTreeSpecShape[Sides=7|Load=0.25]"));
        NS_TEST_ASSERT_MSG_NE(shape, nullptr, "created");
        NS_TEST_EXPECT_MSG_EQ(shape->m_sides, 5, "an attribute of a parent");
        NS_TEST_EXPECT_MSG_EQ(shape->m_offset, -3, "integer");
        NS_TEST_EXPECT_MSG_EQ(shape->m_load, 1e-3, "double");
        NS_TEST_EXPECT_MSG_EQ(shape->m_delay, NanoSeconds(1500), "time");
        NS_TEST_EXPECT_MSG_EQ(shape->m_rate.GetBitRate(), 40000000000, "rate");
        NS_TEST_EXPECT_MSG_EQ(shape->m_queue, QueueSize("3072B"), "queue size");
        NS_TEST_EXPECT_MSG_EQ(shape->m_colour, FatTreeSpecShape::DARK_BLUE, "enumeration");
        NS_TEST_EXPECT_MSG_EQ(shape->m_solid, true, "truth value");
        NS_TEST_EXPECT_MSG_EQ(shape->m_text, "{a=1,b=[2,3]}", "commas within brackets");
        NS_TEST_ASSERT_MSG_NE(shape->m_inner, nullptr, "object");
        NS_TEST_EXPECT_MSG_EQ(shape->m_inner->m_sides, 7, "attribute of an object");

        shape = DynamicCast<FatTreeSpecShape>(
            CreateFromSpec<SpecShape>("--shape", "vl2:Text=\"x, [y\",Rate=0bps"));
        NS_TEST_EXPECT_MSG_EQ(shape->m_text, "x, [y", "quotes are taken off");
        NS_TEST_EXPECT_MSG_EQ(shape->m_rate.GetBitRate(), 0, "no rate");
        shape = DynamicCast<Vl2SpecShape>(
            CreateFromSpec<SpecShape>("--shape", "vl2:Rate=0.8Tbps,Pace=0.5Gbps"));
        NS_TEST_EXPECT_MSG_EQ(shape->m_rate.GetBitRate(), 800000000000, "less than a terabit");
        NS_TEST_EXPECT_MSG_EQ(shape->m_pace.GetBitRate(), 500000000, "less than a gigabit");
        ExpectText("(x,y)", "x,y", "parentheses are taken off");
        ExpectText("\"vl2:Text=(a:B=1,C=(d:E=2,F=3))\"",
                   "vl2:Text=(a:B=1,C=(d:E=2,F=3))",
                   "a specification within one");
        ExpectText("(a:B=1,C=(d:E=2,F=3))", "a:B=1,C=(d:E=2,F=3)", "and the next");
        ExpectText("(a)-(b)", "(a)-(b)", "parentheses around parts stay");
    }

    /**
     * @param written the attribute's value in a specification
     * @param expected the value expected
     * @param what the case that is tested
     */
    void ExpectText(const std::string& written,
                    const std::string& expected,
                    const std::string& what)
    {
        const auto shape = DynamicCast<FatTreeSpecShape>(
            CreateFromSpec<SpecShape>("--shape", "vl2:Text=" + written + ",Sides=3"));
        NS_TEST_EXPECT_MSG_EQ(shape->m_text, expected, what);
        NS_TEST_EXPECT_MSG_EQ(shape->m_sides, 3, what << ": what follows");
    }
};

/**
 * @ingroup support-tests
 * @brief Specifications that cannot be created are explained.
 */
class ObjectSpecErrorTestCase : public TestCase
{
  public:
    ObjectSpecErrorTestCase()
        : TestCase("Errors in specifications")
    {
    }

  private:
    void DoRun() override
    {
        Expect("", "no spec-shape is called '', only");
        Expect("fattree", "only fat-tree,");
        Expect("FatTree", "no spec-shape is called 'FatTree'");
        Expect("spec-shape", "no spec-shape is called"); // has no constructor
        Expect("fat-tree:", "Attribute=Value");
        Expect("fat-tree:Sides", "Attribute=Value");
        Expect("fat-tree:=4", "Attribute=Value");
        Expect("fat-tree:Sides=4,", "Attribute=Value");
        Expect("fat-tree:Side=4", "only Sides,");
        Expect("fat-tree:Sides=4,Sides=5", "set twice");
        Expect("fat-tree:Text=[1", "a closing ] is missing");
        Expect("fat-tree:Text=\"1", "a closing \" is missing");
        Expect("fat-tree:Sides=", "not a whole number from 1 to 64");
        Expect("fat-tree:Sides=x", "not a whole number from 1 to 64");
        Expect("fat-tree:Sides=4x", "--shape fat-tree:Sides = '4x'");
        Expect("fat-tree:Sides=-4", "not a whole number from 1 to 64");
        Expect("fat-tree:Sides=65", "not a whole number from 1 to 64");
        Expect("fat-tree:Offset=1.5", "not a whole number from -2147483648");
        Expect("fat-tree:Load=1.5", "not a number from 0 to 1");
        Expect("fat-tree:Load=nan", "not a number from 0 to 1");
        Expect("fat-tree:Load=0.5%", "not a number from 0 to 1");
        Expect("fat-tree:Delay=10", "time with its unit");
        Expect("fat-tree:Delay=10furlongs", "time with its unit");
        Expect("fat-tree:Delay=-1s", "time with its unit, such as 100us, at least 0s");
        Expect("fat-tree:Rate=10", "rate with its unit");
        Expect("fat-tree:Rate=0", "rate with its unit");
        Expect("fat-tree:Rate=-1Gbps", "rate with its unit");
        Expect("fat-tree:Queue=10", "a length in bytes or packets, such as 512kB");
        Expect("fat-tree:Queue=4294967296B", "below 4 GiB");
        Expect("fat-tree:Delay=1e9s", "at most ");
        Expect("fat-tree:Pace=0bps", "a rate above 0 with its unit");
        Expect("fat-tree:Colour=Green", "not one of Red|DarkBlue");
        Expect("fat-tree:Solid=maybe", "not true or false");
        Expect("fat-tree:Inner=ns3::NoSuchShape", "SpecShape");
        Expect("fat-tree:Inner=ns3::FatTreeSpecShape[Sides=7", "SpecShape");
    }

    /**
     * @param spec a specification that cannot be used
     * @param hint a text that the error must contain
     */
    void Expect(const std::string& spec, const std::string& hint)
    {
        std::string message = "no error";
        try
        {
            CreateFromSpec<SpecShape>("--shape", spec);
        }
        catch (const InputError& error)
        {
            message = error.what();
        }
        const auto found =
            message.starts_with("--shape") && message.find(hint) != std::string::npos;
        NS_TEST_EXPECT_MSG_EQ(found, true, spec << " gave: " << message);
    }
};

/**
 * @ingroup support-tests
 * @brief Values are written as people write them, and read back as the same.
 */
class AttributeTextTestCase : public TestCase
{
  public:
    AttributeTextTestCase()
        : TestCase("values as people write them")
    {
    }

  private:
    void DoRun() override
    {
        const auto time = MakeTimeChecker();
        const auto rate = MakeDataRateChecker();
        const auto size = MakeQueueSizeChecker();
        Expect(TimeValue(MilliSeconds(100)), time, "100ms");
        Expect(TimeValue(NanoSeconds(860)), time, "860ns");
        Expect(TimeValue(MicroSeconds(1500)), time, "1.5ms");
        Expect(TimeValue(Time(0)), time, "0s");
        Expect(DataRateValue(DataRate("10Gbps")), rate, "10Gbps");
        Expect(DataRateValue(DataRate(0)), rate, "0bps");
        Expect(DataRateValue(DataRate(999)), rate, "999bps");
        Expect(QueueSizeValue(QueueSize("40p")), size, "40p");
        Expect(QueueSizeValue(QueueSize("512kB")), size, "512kB");
        Expect(QueueSizeValue(QueueSize("1500B")), size, "1500B");
        Expect(QueueLimitValue(QueueLimit("16384B")), MakeQueueLimitChecker(), "16KiB");
        Expect(QueueLimitValue(QueueLimit("0B")), MakeQueueLimitChecker(), "0B");
        Expect(QueueLimitValue(QueueLimit("24us")), MakeQueueLimitChecker(), "24us");
        NS_TEST_EXPECT_MSG_EQ(WriteAttributeValue(TimeValue(Time::Max()), time),
                              "none",
                              "the longest time");
    }

    /**
     * @param value a value
     * @param checker reads it
     * @param text it in a unit that suits it
     */
    void Expect(const AttributeValue& value,
                const Ptr<const AttributeChecker>& checker,
                const std::string& text)
    {
        NS_TEST_EXPECT_MSG_EQ(WriteAttributeValue(value, checker), text, "written");
        NS_TEST_EXPECT_MSG_EQ(ParseAttributeValue("x", *checker, text)->SerializeToString(checker),
                              value.SerializeToString(checker),
                              "read");
    }
};

/**
 * @ingroup support-tests
 * @brief Values of a tree reach its objects as they are, at any depth and with any characters.
 */
class SpecTreeTestCase : public TestCase
{
  public:
    SpecTreeTestCase()
        : TestCase("objects from a tree")
    {
    }

  private:
    void DoRun() override
    {
        const std::vector<std::string> texts{"a,b=\"c\";(d", "e)f\"", "[\"g:h=1,"};
        Spec tree;
        for (auto text = texts.rbegin(); text != texts.rend(); ++text)
        {
            tree = Spec("fat-tree", {{"Text", *text}, {"Part", tree}});
        }
        for (const std::string& text : texts)
        {
            const auto shape = CreateFromSpec<SpecShape>("--shape", tree);
            StringValue found;
            shape->GetAttribute("Text", found);
            NS_TEST_EXPECT_MSG_EQ(found.Get(), text, "a value");
            SpecValue part;
            shape->GetAttribute("Part", part);
            tree = part.Get();
        }
        NS_TEST_EXPECT_MSG_EQ(tree.IsEmpty(), true, "the innermost has no part");

        const Spec one("fat-tree", {{"Load", "0.5"}, {"Part", Spec("vl2", {{"Text", "i"}})}});
        const std::string text = R"(fat-tree:Load=0.5,Part="vl2:Text=i")";
        NS_TEST_EXPECT_MSG_EQ(one.ToString(), text, "as text");
        NS_TEST_EXPECT_MSG_EQ(SetsAttribute("--shape", one, "Load"), true, "sets it");
        NS_TEST_EXPECT_MSG_EQ(SetsAttribute("--shape", one, "Text"), false, "its part does");

        const Spec deep("fat-tree", {{"Part", Spec("vl2", {{"Text", "a)b"}})}});
        const auto shape =
            CreateFromSpec<SpecShape>("--shape", Spec("vl2", {{"Part", deep}}).ToString());
        NS_TEST_EXPECT_MSG_EQ(DynamicCast<FatTreeSpecShape>(shape)->m_part,
                              deep,
                              "a parenthesis within quotes closes none");
    }
};

/**
 * @ingroup support-tests
 * @brief The object specification test suite.
 */
class SpecListTestCase : public TestCase
{
  public:
    SpecListTestCase()
        : TestCase("several specifications in one list")
    {
    }

  private:
    /**
     * @brief Read a list.
     * @param list the list
     * @return "name -> specification" for each, a line each; "refused" if it cannot be read
     */
    static std::string Read(const Spec& list)
    {
        std::string text;
        try
        {
            for (const NamedSpec& named : NameSpecs("--transport", list))
            {
                text += named.name + " -> " + named.spec.ToString() + "\n";
            }
        }
        catch (const InputError&)
        {
            return "refused";
        }
        return text;
    }

    void DoRun() override
    {
        NS_TEST_EXPECT_MSG_EQ(SetsAttribute("--s", "a:B=1,C=(x:D=2)", "C"), true, "set");
        NS_TEST_EXPECT_MSG_EQ(SetsAttribute("--s", "a:B=1,C=(x:D=2)", "D"), false, "of another");
        NS_TEST_EXPECT_MSG_EQ(SetsAttribute("--s", "a", "B"), false, "no settings");
        NS_TEST_EXPECT_MSG_EQ(SetsAttribute("--s", "a:path", "File"), true, "short form");
        NS_TEST_EXPECT_MSG_EQ(Read("lean"), "lean -> lean\n", "one");
        NS_TEST_EXPECT_MSG_EQ(Read("lean:A=1,B=2;udp"),
                              "lean -> lean:A=1,B=2\nudp -> udp\n",
                              "two");
        NS_TEST_EXPECT_MSG_EQ(Read("lean:A=1;lean;lean"),
                              "lean -> lean:A=1\nlean-2 -> lean\nlean-3 -> lean\n",
                              "of the same kind");
        NS_TEST_EXPECT_MSG_EQ(Read("web=lean:A=1;bulk=lean"),
                              "web -> lean:A=1\nbulk -> lean\n",
                              "with names");
        NS_TEST_EXPECT_MSG_EQ(Read("a:X=\"b;c\";d"),
                              "a -> a:X=\"b;c\"\nd -> d\n",
                              "quotes protect");
        for (const std::string bad :
             {"x=lean;x=udp", "lean;lean=udp", "=lean", "a:X=\"b;c", "lean;"})
        {
            NS_TEST_EXPECT_MSG_EQ(Read(bad), "refused", bad);
        }
        const Spec lone(std::vector<Spec>{"file:/a/b"});
        NS_TEST_EXPECT_MSG_EQ(lone.GetName(), "file", "one in a list is that one");
        NS_TEST_EXPECT_MSG_EQ(lone.GetPath().value_or(""), "/a/b", "with its path");
        const Spec two(std::vector<Spec>{"a", Spec("b", {{"C", "1"}})});
        NS_TEST_EXPECT_MSG_EQ(two.GetName(), "a;b:C=1", "two have no name that anything has");
        NS_TEST_EXPECT_MSG_EQ(Read(two), "a -> a\nb -> b:C=1\n", "a list");
        for (const Spec& bad : {Spec(std::vector<Spec>{"lean", ""}),
                                Spec(std::vector<Spec>{""}),
                                Spec(std::vector<Spec>{"lean", Spec(std::vector<Spec>())}),
                                Spec("a;b=lean", {}),
                                Spec("a:b=lean", {})})
        {
            NS_TEST_EXPECT_MSG_EQ(Read(bad), "refused", bad);
        }
    }
};

/**
 * @ingroup object-spec-tests
 * @brief Rows: specifications with names of their own.
 */
class SpecRowTestCase : public TestCase
{
  public:
    SpecRowTestCase()
        : TestCase("rows")
    {
    }

  private:
    void DoRun() override
    {
        const auto base = SpecShape::GetTypeId();
        {
            const SpecRows rows(
                &SpecShape::GetTypeId,
                {{"five", "ns3::Vl2SpecShape:Sides=5,Part=(fat-tree:Sides=6,Text=\"a, [b\")", "x"},
                 {"five-red", "five:Colour=DarkBlue,Part=fat-tree:Load=0.25", "y"},
                 {"five-other", "five-red:Part=spec-ecn-marker", "z"}});
            const std::vector<std::string> expected{"fat-tree",
                                                    "five",
                                                    "five-other",
                                                    "five-red",
                                                    "spec-ecn-marker"};
            NS_TEST_EXPECT_MSG_EQ((ListRegisteredNames(base) == expected),
                                  true,
                                  "rows have names, and the class that one names has no other");
            NS_TEST_EXPECT_MSG_EQ(LookupRegisteredName("", "five-other", base),
                                  Vl2SpecShape::GetTypeId(),
                                  "class of a row of a row");
            NS_TEST_EXPECT_MSG_EQ(SpecRows::Find(base, "five-red")->summary, "y", "");
            NS_TEST_EXPECT_MSG_EQ(SpecRows::Find(base, "fat-tree"), nullptr, "a class");

            Expect("five", 5, "fat-tree:Sides=6,Text=\"a, [b\"", "as the row has it");
            Expect("five:Sides=7", 7, "fat-tree:Sides=6,Text=\"a, [b\"", "what is written wins");
            const auto shape = Expect("five-red:Part=fat-tree:Sides=9",
                                      5,
                                      "fat-tree:Sides=9,Text=\"a, [b\",Load=0.25",
                                      "attribute by attribute, also within objects");
            NS_TEST_EXPECT_MSG_EQ(shape->m_colour, FatTreeSpecShape::DARK_BLUE, "of the row");
            const auto part =
                DynamicCast<FatTreeSpecShape>(CreateFromSpec<SpecShape>("", shape->m_part));
            NS_TEST_EXPECT_MSG_EQ(part->m_text, "a, [b", "a merged value reads as it was written");
            Expect("five-other", 5, "spec-ecn-marker", "another object replaces the row's");
            Expect("five:Part=vl2:Load=1", 5, "vl2:Load=1", "likewise");
            Expect("five:Part=(fat-tree;fat-tree)", 5, "fat-tree;fat-tree", "a list, too");
            Expect("five:Part=", 5, "", "none");
            for (const std::string bad : {"five:Side=1", "five:Sides=0", "six", "five:"})
            {
                std::string error;
                try
                {
                    CreateFromSpec<SpecShape>("--shape", bad);
                }
                catch (const InputError& caught)
                {
                    error = caught.what();
                }
                NS_TEST_EXPECT_MSG_EQ(error.starts_with("--shape"), true, bad << ": " << error);
            }
        }
        NS_TEST_EXPECT_MSG_EQ(SpecRows::Find(base, "five"), nullptr, "rows go");
    }

    /**
     * @param spec a specification
     * @param sides that the object has
     * @param part that it has
     * @param what is tested
     * @return the object
     */
    Ptr<FatTreeSpecShape> Expect(const std::string& spec,
                                 uint32_t sides,
                                 const std::string& part,
                                 const std::string& what)
    {
        auto shape = DynamicCast<FatTreeSpecShape>(CreateFromSpec<SpecShape>("--shape", spec));
        NS_TEST_EXPECT_MSG_EQ(shape->m_sides, sides, spec << ": " << what);
        NS_TEST_EXPECT_MSG_EQ(shape->m_part, part, spec << ": " << what);
        return shape;
    }
};

/**
 * @ingroup object-spec-tests
 * @brief Settings of what a specification makes, in SI units.
 */
class ObjectSettingsTestCase : public TestCase
{
  public:
    ObjectSettingsTestCase()
        : TestCase("settings of objects, typed")
    {
    }

  private:
    void DoRun() override
    {
        const std::string settings =
            DescribeSpec("fat-tree:Offset=-3,Load=0.25,Delay=1.5us,Rate=10Gbps,Queue=30kB,"
                         "Colour=DarkBlue,Solid=true,Text=a,Part=\"vl2:Queue=5p;vl2\","
                         "Inner=ns3::SpecECNMarker",
                         SpecShape::GetTypeId())
                .GetText();
        const auto expect = [&](const std::string& part) {
            NS_TEST_EXPECT_MSG_NE(settings.find(part), std::string::npos, part + " in " + settings);
        };
        expect("{\n  \"name\": \"fat-tree\",\n");
        expect("\"Offset\": -3,\n");
        expect("\"Load\": 0.25,\n");
        expect("\"Delay_s\": 0.0000015,\n");
        expect("\"Rate_bps\": 10000000000,\n");
        expect("\"Pace_bps\": 1000000000,\n");
        expect("\"Queue_bytes\": 30000,\n");
        expect("\"Colour\": \"DarkBlue\",\n");
        expect("\"Solid\": true,\n");
        expect("\"Text\": \"a\",\n");
        expect("\"Part\": [{\n    \"name\": \"vl2\",\n");
        expect("    \"Queue_packets\": 5,\n");
        expect("    \"Queue_packets\": 10,\n");
        expect("\"Inner\": {\n    \"name\": \"ns3::SpecECNMarker\"");
    }
};

/**
 * @ingroup object-spec-tests
 * @brief Test suite of object specifications.
 */
class ObjectSpecTestSuite : public TestSuite
{
  public:
    ObjectSpecTestSuite()
        : TestSuite("object-spec", Type::UNIT)
    {
        AddTestCase(new ObjectSpecNameTestCase);
        AddTestCase(new ObjectSpecCreateTestCase);
        AddTestCase(new ObjectSpecErrorTestCase);
        AddTestCase(new SpecTreeTestCase);
        AddTestCase(new SpecListTestCase);
        AddTestCase(new SpecRowTestCase);
        AddTestCase(new ObjectSettingsTestCase);
        AddTestCase(new AttributeTextTestCase);
    }
};

static ObjectSpecTestSuite g_objectSpecTestSuite; ///< static variable for test initialization
