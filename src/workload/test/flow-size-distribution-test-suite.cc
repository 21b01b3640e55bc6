/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "ns3/double.h"
#include "ns3/flow-size-distribution.h"
#include "ns3/input-error.h"
#include "ns3/rng-seed-manager.h"
#include "ns3/test.h"

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

using namespace ns3;

/**
 * @defgroup workload-tests Tests for the workload module
 * @ingroup workload
 * @ingroup tests
 */

namespace
{

/**
 * @brief Draw sizes.
 * @param spec as CreateFlowSizes() takes it
 * @param count number of sizes
 * @param stream random variable stream
 * @return the sizes, sorted
 */
std::vector<uint64_t>
DrawSizes(const std::string& spec, std::size_t count, int64_t stream)
{
    auto sizes = CreateFlowSizes("spec", spec);
    sizes->AssignStreams(stream);
    std::vector<uint64_t> drawn(count);
    std::generate(drawn.begin(), drawn.end(), [&] { return sizes->NextSize(); });
    std::sort(drawn.begin(), drawn.end());
    return drawn;
}

/**
 * @brief Kolmogorov-Smirnov distance of sizes from a distribution.
 *
 * Sizes are rounded, so size k stands for (k - 0.5, k + 0.5], and 1 for all below 1.5.
 *
 * @param drawn sorted sizes
 * @param law the distribution
 * @return largest difference of the two cumulative distributions
 */
double
Distance(const std::vector<uint64_t>& drawn, Ptr<FlowSizeDistribution> law)
{
    double distance = 0;
    const double n = drawn.size();
    for (auto first = drawn.begin(); first != drawn.end();)
    {
        const auto last = std::upper_bound(first, drawn.end(), *first);
        const double below = *first == 1 ? 0.0 : law->Cdf(*first - 0.5);
        distance = std::max({distance,
                             std::abs((first - drawn.begin()) / n - below),
                             std::abs((last - drawn.begin()) / n - law->Cdf(*first + 0.5))});
        first = last;
    }
    return distance;
}

/**
 * @brief Distance that so many draws exceed with a probability of 0.01 %.
 * @param draws number of draws
 * @return the asymptotic quantile of Kolmogorov's law
 */
double
CriticalDistance(std::size_t draws)
{
    return std::sqrt(-0.5 * std::log(0.0001 / 2) / draws);
}

/// Every named distribution, and a law of each kind with and without clipping.
const std::vector<std::string> ALL_SPECS{"alibaba-storage",
                                         "data-mining",
                                         "data-mining-fine",
                                         "enterprise",
                                         "enterprise:MaxSize=3e6",
                                         "facebook-hadoop",
                                         "facebook-kv",
                                         "google-rpc",
                                         "google-rpc:MaxSize=100",
                                         "web-search",
                                         "exponential",
                                         "exponential:Mean=5000,MaxSize=7000",
                                         "fixed:Bytes=1000",
                                         "fixed:Bytes=1000,MaxSize=300",
                                         "generalized-pareto",
                                         "generalized-pareto:Shape=0.6,Mean=9000,MaxSize=20000",
                                         "pareto",
                                         "pareto:Shape=1.5,Mean=9000,MaxSize=2000"};

} // namespace

/**
 * @ingroup workload-tests
 * @brief Means have the published or hand-computed values.
 */
class FlowSizeMeanTestCase : public TestCase
{
  public:
    FlowSizeMeanTestCase()
        : TestCase("means against published and hand-computed values")
    {
    }

  private:
    void DoRun() override;

    /**
     * @brief Check one mean.
     * @param spec the distribution
     * @param mean expected, in bytes
     * @param tolerance in bytes
     */
    void Check(const std::string& spec, double mean, double tolerance)
    {
        NS_TEST_EXPECT_MSG_EQ_TOL(CreateFlowSizes("spec", spec)->Mean(), mean, tolerance, spec);
    }
};

void
FlowSizeMeanTestCase::DoRun()
{
    const std::vector<std::pair<std::string, double>> published{{"web-search", 1711250},
                                                                {"data-mining", 12658199},
                                                                {"data-mining-fine", 5036535},
                                                                {"facebook-hadoop", 120421},
                                                                {"facebook-kv", 342},
                                                                {"alibaba-storage", 40870},
                                                                {"google-rpc", 2892},
                                                                {"enterprise", 216304},
                                                                {"drb-trace", 2985437},
                                                                {"nimble-mix", 6725632}};
    for (const auto& [name, mean] : published)
    {
        Check(name, mean, 0.001 * mean);
    }
    Check("nimble-mix:MaxSize=4194304", 434176, 0.5); // 0.9 * 16384 + 0.1 * 4194304
    Check("enterprise:MaxSize=1e6", 37.8e3, 60);
    Check("enterprise:MaxSize=3e6", 62692.5, 0.1);
    Check("enterprise:MaxSize=1e7", 99.6e3, 60);
    Check("enterprise:MaxSize=3e7", 147656.3, 0.1);
    // mean - scale / (shape - 1) * (scale / limit)^(shape - 1), scale = 2727.27
    Check("pareto", 30000, 0.001);
    Check("pareto:MaxSize=1e6", 14889, 0.6);
    Check("pareto:MaxSize=3e6", 16461, 0.6);
    Check("pareto:MaxSize=1e7", 17997, 0.6);
    Check("pareto:MaxSize=1e8", 20465, 0.6);
    Check("pareto:MaxSize=1e9", 22426, 0.6);
    Check("pareto:MaxSize=1000", 1000, 1e-9); // below the smallest size
    Check("fixed:Bytes=1500", 1500, 1e-9);
    // scale / (1 - shape), Atikoglu et al.: 214.476 and 0.348238; clipped at the scale
    Check("generalized-pareto", 329.07, 0.01);
    Check("generalized-pareto:Mean=2048", 2048, 1e-9);
    Check("generalized-pareto:Shape=0.5,Mean=2000,MaxSize=1000", 2000 * (1 - 1 / 1.5), 1e-9);
    Check("fixed:Bytes=1500,MaxSize=900", 900, 1e-9);
    Check("exponential:Mean=1000,MaxSize=1000", 1000 * (1 - std::exp(-1)), 1e-9);

    auto enterprise = CreateFlowSizes("spec", "enterprise");
    NS_TEST_EXPECT_MSG_EQ_TOL(enterprise->Cdf(100e3), 0.942, 0.0005, "enterprise below 100 KB");
    auto trace = CreateFlowSizes("spec", "drb-trace");
    NS_TEST_EXPECT_MSG_EQ_TOL(trace->Cdf(4096), 0.8, 1e-9, "below 4 KB");
    NS_TEST_EXPECT_MSG_EQ_TOL(trace->Cdf(50e6), 0.99, 1e-9, "above 50 MB: 1 %");
    auto pareto = CreateFlowSizes("spec", "pareto");
    NS_TEST_EXPECT_MSG_EQ_TOL(pareto->Cdf(5121), 0.5, 0.0001, "Pareto median");
}

/**
 * @ingroup workload-tests
 * @brief The clipped mean is the integral of 1 - CDF, whatever the law.
 */
class FlowSizeIntegralTestCase : public TestCase
{
  public:
    FlowSizeIntegralTestCase()
        : TestCase("mean against the integral of the CDF")
    {
    }

  private:
    void DoRun() override
    {
        for (const auto& spec : ALL_SPECS)
        {
            auto law = CreateFlowSizes("spec", spec);
            for (const double limit : {2e3, 5e4, 2e6})
            {
                DoubleValue clip;
                law->GetAttribute("MaxSize", clip);
                if (clip.Get() == 0 || clip.Get() > limit)
                {
                    law->SetAttribute("MaxSize", DoubleValue(limit));
                }
                // Midpoint rule over t with bytes = limit * t^3: fine steps where small sizes are.
                const int steps = 200000;
                double integral = 0;
                for (int i = 0; i < steps; ++i)
                {
                    const double t = (i + 0.5) / steps;
                    integral += (1 - law->Cdf(limit * t * t * t)) * 3 * limit * t * t / steps;
                }
                NS_TEST_EXPECT_MSG_EQ_TOL(law->Mean(),
                                          integral,
                                          1e-3 * integral + 1e-9,
                                          spec << " up to " << limit);
            }
        }
    }
};

/**
 * @ingroup workload-tests
 * @brief Sizes drawn follow the distribution.
 */
class FlowSizeDrawTestCase : public TestCase
{
  public:
    FlowSizeDrawTestCase()
        : TestCase("draws against the CDF (Kolmogorov-Smirnov) and the mean")
    {
    }

  private:
    void DoRun() override;
};

void
FlowSizeDrawTestCase::DoRun()
{
    const std::size_t draws = 100000;
    for (const auto& spec : ALL_SPECS)
    {
        auto law = CreateFlowSizes("spec", spec);
        NS_TEST_EXPECT_MSG_LT(Distance(DrawSizes(spec, draws, 7), law),
                              CriticalDistance(draws),
                              spec);
    }
    // The test sees a law whose mean is the same.
    NS_TEST_EXPECT_MSG_GT(
        Distance(DrawSizes("exponential:Mean=30000", draws, 7), CreateFlowSizes("spec", "pareto")),
        CriticalDistance(draws),
        "another law must be refused");

    const auto drawn = DrawSizes("pareto:MaxSize=3e6", 1000000, 8);
    double sum = 0;
    for (const auto size : drawn)
    {
        sum += size;
    }
    NS_TEST_EXPECT_MSG_EQ_TOL(sum / drawn.size(), 16460, 0.02 * 16460, "mean of Pareto sizes");
    const double small = std::lower_bound(drawn.begin(), drawn.end(), 100000) - drawn.begin();
    NS_TEST_EXPECT_MSG_EQ_TOL(small / drawn.size(), 0.981, 0.001, "share of short Pareto flows");
    NS_TEST_EXPECT_MSG_EQ(drawn.back(), 3000000, "clipped size");
    NS_TEST_EXPECT_MSG_EQ(drawn.front(), 2727, "smallest Pareto size");
    NS_TEST_EXPECT_MSG_EQ(DrawSizes("facebook-kv", draws, 7).front(), 1, "no flow is empty");
}

/**
 * @ingroup workload-tests
 * @brief Same seed and stream, same sizes; another run, others.
 */
class FlowSizeStreamTestCase : public TestCase
{
  public:
    FlowSizeStreamTestCase()
        : TestCase("random variable streams")
    {
    }

  private:
    void DoRun() override
    {
        const auto once = DrawSizes("web-search", 100, 3);
        NS_TEST_EXPECT_MSG_EQ((once == DrawSizes("web-search", 100, 3)), true, "same stream");
        NS_TEST_EXPECT_MSG_EQ((once == DrawSizes("web-search", 100, 4)), false, "another stream");
        const auto run = RngSeedManager::GetRun();
        RngSeedManager::SetRun(run + 1);
        NS_TEST_EXPECT_MSG_EQ((once == DrawSizes("web-search", 100, 3)), false, "another run");
        RngSeedManager::SetRun(run);
    }
};

/**
 * @ingroup workload-tests
 * @brief CDF files: what is read, and what is refused in which words.
 */
class CdfFileTestCase : public TestCase
{
  public:
    CdfFileTestCase()
        : TestCase("CDF files, good and broken")
    {
    }

  private:
    void DoRun() override;

    /**
     * @brief Write a file.
     * @param content of the file
     * @return its path
     */
    std::string Write(const std::string& content)
    {
        const auto path = CreateTempDirFilename("sizes.csv");
        std::ofstream(path, std::ios::binary) << content;
        return path;
    }

    /**
     * @brief Expect a file to say what its plainest form says.
     * @param content of the file
     */
    void Same(const std::string& content);

    /**
     * @brief Expect a complaint.
     * @param spec as CreateFlowSizes() takes it
     * @param words text that the complaint contains
     */
    void Refused(const std::string& spec, const std::string& words);
};

void
CdfFileTestCase::Refused(const std::string& spec, const std::string& words)
{
    try
    {
        CreateFlowSizes("--sizes", spec)->NextSize();
        NS_TEST_EXPECT_MSG_EQ(true, false, "accepted " << spec << ", should say: " << words);
    }
    catch (const InputError& error)
    {
        const std::string message = error.what();
        NS_TEST_EXPECT_MSG_NE(message.find(words),
                              std::string::npos,
                              message << " should say: " << words);
        NS_TEST_EXPECT_MSG_EQ(message.find('\n'), std::string::npos, "one line: " << message);
    }
}

void
CdfFileTestCase::Same(const std::string& content)
{
    const auto law = CreateFlowSizes("--sizes", Write(content));
    for (const auto& [bytes, probability] :
         {std::pair(99.0, 0.0), {100.0, 0.1}, {550.0, 0.3}, {1000.0, 0.7}, {10000.0, 1.0}})
    {
        NS_TEST_EXPECT_MSG_EQ_TOL(law->Cdf(bytes), probability, 1e-12, content << " at " << bytes);
    }
}

void
CdfFileTestCase::DoRun()
{
    const std::string body = "100,0.1\n1000,0.5\n1000,0.7\n10000,1\n";
    Same("bytes,probability\n" + body);
    Same("\xef\xbb\xbf" + ("bytes,probability\n" + body));
    Same(body + "\n  \n,\n");
    Same("\xef\xbb\xbf" + body);
    Same("Bytes ,\tProbability\n" + body);
    Same("probability,bytes\n0.1,100\n0.5,1000\n0.7,1000\n1,10000\n");
    Same("# sizes\n100 0.1\n1000\t 0.5\r\n1e3\t0.7\n 10000   1 # all\n");
    Same("bytes probability\n100 0.1\n1000 0.5\n1000 0.7\n10000 1\n");
    Same("bytes;probability\n100;0.1\n1000;0.5\n1000; 0.7\n10000;1;\n");
    Same("\"bytes\",\"probability\"\n\"100\",0.1\n1000,0.5\n1000,0.7\n10000,1\n");
    Same("100 10\n1000 50\n1000 70\n10000 100\n");
    Same("10000,1\n1000,0.7\n1000,0.5\n100,0.1\n");
    Same("10000 100\n1000 70\n1000 50\n100 10\n");
    Same("100,0.1\n1000,0.5\n1000,0.7\n10000,0.9999999999999999\n");
    Same("100,0.1\n1000,0.5\n1000,0.7\n10000,1.0000000000000002\n");

    std::filesystem::copy_file(Write("bytes,probability\n10,1\n"),
                               CreateTempDirFilename("web-search:1,2.csv"));
    const std::string odd = CreateTempDirFilename("web-search:1,2.csv");
    NS_TEST_EXPECT_MSG_EQ(CreateFlowSizes("--sizes", odd)->Mean(), 10, "a colon in a path");
    NS_TEST_EXPECT_MSG_EQ(CreateFlowSizes("--sizes", odd + ":MaxSize=5")->Mean(),
                          5,
                          "and settings");
    Refused("cdf:File=" + odd, "a value with commas stands in quotes");

    // Comments, blanks, CRLF, no newline at the end; a jump at 100 and no sizes from 200 to 300.
    auto law = CreateFlowSizes(
        "--sizes",
        Write("# sizes\r\nbytes , probability\r\n\r\n 10,0.1\r\n100,0.2 # half\r\n100,0.5\r\n"
              "200,0.7\r\n300,0.7\r\n400,1"));
    const double mean = 0.1 * 10 + 0.1 * 55 + 0.3 * 100 + 0.2 * 150 + 0.3 * 350;
    NS_TEST_EXPECT_MSG_EQ_TOL(law->Mean(), mean, 1e-9, "mean of the file");
    NS_TEST_EXPECT_MSG_EQ_TOL(law->Cdf(9), 0, 1e-12, "below the first knot");
    NS_TEST_EXPECT_MSG_EQ_TOL(law->Cdf(10), 0.1, 1e-12, "at the first knot");
    NS_TEST_EXPECT_MSG_EQ_TOL(law->Cdf(100), 0.5, 1e-12, "at the jump");
    NS_TEST_EXPECT_MSG_EQ_TOL(law->Cdf(250), 0.7, 1e-12, "in the gap");
    NS_TEST_EXPECT_MSG_EQ_TOL(law->Cdf(350), 0.85, 1e-12, "between knots");
    NS_TEST_EXPECT_MSG_EQ_TOL(law->Cdf(1e9), 1, 1e-12, "beyond the last knot");
    const auto drawn = DrawSizes(CreateTempDirFilename("sizes.csv"), 100000, 5);
    NS_TEST_EXPECT_MSG_LT(Distance(drawn, law), CriticalDistance(drawn.size()), "draws");
    const auto inGap = std::count_if(drawn.begin(), drawn.end(), [](uint64_t size) {
        return size > 200 && size < 300;
    });
    NS_TEST_EXPECT_MSG_EQ(inGap, 0, "no size from the gap");

    const std::string head = "bytes,probability\n";
    Refused(Write(""), "is empty");
    Refused(Write("# nothing\n\n"), "is empty");
    Refused(Write(head), "highest probability = '0'");
    Refused(Write("size,cdf\n1,1\n"), "line 1 = 'size,cdf'");
    Refused(Write("bytes\n1\n"), "line 1");
    Refused(Write(head + "1,0\n5,0.9\n"), "highest probability = '0.9': must be 1, or 100");
    Refused(Write(head + "1,0\n5,0.99999\n"), "highest probability = '0.99999'");
    Refused(Write(head + "1,0\n5,99.9\n"), "highest probability = '99.9'");
    Refused(Write(head + "5,1\n3,0.5\n4,0.2\n"), "line 4 bytes = '4': must be no more");
    Refused(Write(head + "5,1\n3,0.5\n2,0.6\n"), "line 4 probability = '0.6': must be no more");
    Refused(Write(head + "1,1\n2,0.5\n3,0\n"), "line 3 probability = '0.5': must be no less");
    Refused(Write("bytes,bytes\n1,1\n"), "line 1 = 'bytes,bytes'");
    Refused(Write("bytes,probability,more\n1,1,1\n"), "line 1 = 'bytes,probability,more'");
    Refused(Write("bytes;probability\n1;0,5\n"), "line 2 probability = '0,5'");
    Refused(Write("1 0 0\n6 1 1\n"), "line 1 = '3 cells': a row has the columns bytes,");
    Refused(Write("\xff\xfe" + head), "is UTF-16; save it as UTF-8");
    Refused(Write(head + "1,0\n5,0.9\n4,1\n"), "line 4 bytes = '4': must be no less");
    Refused(Write(head + "1,0.5\n5,0.4\n6,1\n"), "line 3 probability = '0.4': must be no less");
    Refused(Write(head + "-1,0\n6,1\n"), "line 2 bytes = '-1': must be at least 0");
    Refused(Write(head + "1,-0.1\n6,1\n"), "line 2 probability = '-0.1'");
    Refused(Write(head + "1,0\n5,2\n6,1\n"), "line 4 probability = '1': must be no less");
    Refused(Write(head + "1,0\n# so\n10KB,1\n"), "line 4 bytes = '10KB'");
    Refused(Write(head + "nan,0\n6,1\n"), "line 2 bytes = 'nan'");
    Refused(Write(head + "1,0\n6,inf\n"), "line 3 probability = 'inf'");
    Refused(Write(head + "1,0\n,1\n"), "line 3 bytes = ''");
    Refused(Write(head + "1,0\n6\n"), "line 3 probability = ''");
    Refused(Write(head + "1,0\n6,1,2\n"), "line 3 = '3 cells'");
    Refused(CreateTempDirFilename("absent.csv"), "must be one of alibaba-storage, ");
    Refused("cdf:File=absent", "absent");
    Refused("cdf", "cdf:File");
    Refused("entreprise", "--sizes = 'entreprise'");
    Refused("", "must be one of");
    Refused("enterprise:MaxSiz=1", "MaxSize");
    Refused("enterprise:MaxSize=-1", "-1");
    Refused("enterprise:MaxSize=3MB", "3MB");
    Refused("pareto:Shape=1", "Shape");
    Refused("pareto:Mean=many", "many");
    Refused("fixed:Bytes=0", "Bytes");
}

/**
 * @ingroup workload-tests
 * @brief Flow-size distributions.
 */
class FlowSizeDistributionTestSuite : public TestSuite
{
  public:
    FlowSizeDistributionTestSuite()
        : TestSuite("flow-size-distribution", Type::UNIT)
    {
        AddTestCase(new FlowSizeMeanTestCase);
        AddTestCase(new FlowSizeIntegralTestCase);
        AddTestCase(new FlowSizeDrawTestCase);
        AddTestCase(new FlowSizeStreamTestCase);
        AddTestCase(new CdfFileTestCase);
    }
};

/// The suite registers itself.
static FlowSizeDistributionTestSuite g_flowSizeDistributionTestSuite;
