/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "../../support/test/support-test.h"

#include "ns3/boolean.h"
#include "ns3/object-factory.h"
#include "ns3/queue-recorder.h"
#include "ns3/simulator.h"
#include "ns3/test.h"

#include <cmath>

using namespace ns3;

/**
 * @ingroup telemetry-tests
 * @brief Samples of queues that change at known times.
 */
class QueueRecorderTestCase : public TestCase
{
  public:
    /**
     * @param onlyNonZero the attribute OnlyNonZero
     * @param rows what the file must hold below its header
     */
    QueueRecorderTestCase(bool onlyNonZero, const std::string& rows)
        : TestCase(onlyNonZero ? "samples of non-empty queues" : "all samples"),
          m_onlyNonZero(onlyNonZero),
          m_rows(rows)
    {
    }

  private:
    void DoRun() override
    {
        QueueLength a{0, 0};
        QueueLength b{1500, 1};
        auto recorder = CreateObjectWithAttributes<QueueRecorder>("Interval",
                                                                  TimeValue(MicroSeconds(10)),
                                                                  "OnlyNonZero",
                                                                  BooleanValue(m_onlyNonZero));
        recorder->AddProbe("leaf-0:0", "down", [&a] { return a; });
        recorder->AddProbe("leaf-0:1", "down", [&b] { return b; });
        recorder->AddProbe("spine-0:0", "up", [] { return QueueLength{40, 1}; });
        const std::string path = CreateTempDirFilename("queues.csv");
        recorder->Start(MicroSeconds(5), MicroSeconds(25), path);
        Simulator::Schedule(MicroSeconds(10), [&] { a = {4500, 3}; });
        Simulator::Schedule(MicroSeconds(12), [&] { b = {90000, 60}; }); // gone before a sample
        Simulator::Schedule(MicroSeconds(13), [&] { b = {0, 0}; });
        Simulator::Run(); // ends by itself: no sample is scheduled after the last
        NS_TEST_EXPECT_MSG_EQ(Simulator::Now(), MicroSeconds(25), "the last sample is included");
        NS_TEST_EXPECT_MSG_EQ(FileText(path), "absent", "not before Close()");
        recorder->Close();
        NS_TEST_EXPECT_MSG_EQ(FileText(path), "time_s,port,bytes,packets\n" + m_rows, "samples");

        // at 5, 15 and 25 us: a = 0, 4500, 4500; b = 1500, 0, 0
        const QueueSummary port = recorder->SummarizePort("leaf-0:0");
        NS_TEST_EXPECT_MSG_EQ(port.samples, 3, "empty ones too");
        NS_TEST_EXPECT_MSG_EQ(port.GetMeanBytes(), 3000, "(0 + 4500 + 4500) / 3");
        NS_TEST_EXPECT_MSG_EQ(port.GetMeanPackets(), 2, "(0 + 3 + 3) / 3");
        const QueueSummary role = recorder->SummarizeRole("down");
        NS_TEST_EXPECT_MSG_EQ(role.samples, 6, "of two queues");
        NS_TEST_EXPECT_MSG_EQ(role.GetMeanBytes(), 1750, "(9000 + 1500) / 6");
        NS_TEST_EXPECT_MSG_EQ(role.maximum.bytes, 4500, "of what was sampled");
        NS_TEST_EXPECT_MSG_EQ(role.maximum.packets, 3, "of what was sampled");
        NS_TEST_EXPECT_MSG_EQ(std::isnan(recorder->SummarizeRole("none").GetMeanBytes()),
                              true,
                              "no queue, no average");
        Simulator::Destroy();
    }

    bool m_onlyNonZero; //!< the attribute OnlyNonZero
    std::string m_rows; //!< what the file must hold below its header
};

/**
 * @ingroup telemetry-tests
 * @brief A recorder that goes away, or is closed early, samples no more and leaves no half a file.
 */
class QueueRecorderEndTestCase : public TestCase
{
  public:
    QueueRecorderEndTestCase()
        : TestCase("ends early")
    {
    }

  private:
    void DoRun() override
    {
        const std::string path = CreateTempDirFilename("early.csv");
        const auto make = [&](int& samples) {
            auto recorder = CreateObject<QueueRecorder>();
            recorder->SetAttribute("Interval", TimeValue(MicroSeconds(1)));
            recorder->AddProbe("p", "r", [&samples] {
                ++samples;
                return QueueLength{};
            });
            recorder->Start(MicroSeconds(1), MicroSeconds(100), path);
            return recorder;
        };
        int closed = 0;
        auto recorder = make(closed);
        Simulator::Schedule(MicroSeconds(3) + NanoSeconds(1), [&] { recorder->Close(); });
        Simulator::Run();
        NS_TEST_EXPECT_MSG_EQ(closed, 3, "at 1, 2 and 3 us");
        NS_TEST_EXPECT_MSG_EQ(FileText(path),
                              "time_s,port,bytes,packets\n"
                              "0.000001,p,0,0\n0.000002,p,0,0\n0.000003,p,0,0\n",
                              "what was sampled");
        Simulator::Destroy();

        int gone = 0;
        recorder = make(gone);
        Simulator::Schedule(MicroSeconds(2) + NanoSeconds(1), [&] { recorder = nullptr; });
        Simulator::Run();
        NS_TEST_EXPECT_MSG_EQ(gone, 2, "at 1 and 2 us");
        NS_TEST_EXPECT_MSG_EQ(FileText(path + ".tmp"), "absent", "nothing half-written");
        Simulator::Destroy();
    }
};

/**
 * @ingroup telemetry-tests
 * @brief Tests of QueueRecorder.
 */
class QueueRecorderTestSuite : public TestSuite
{
  public:
    QueueRecorderTestSuite()
        : TestSuite("queue-recorder", Type::UNIT)
    {
        AddTestCase(new QueueRecorderTestCase(false,
                                              "0.000005,leaf-0:0,0,0\n"
                                              "0.000005,leaf-0:1,1500,1\n"
                                              "0.000005,spine-0:0,40,1\n"
                                              "0.000015,leaf-0:0,4500,3\n"
                                              "0.000015,leaf-0:1,0,0\n"
                                              "0.000015,spine-0:0,40,1\n"
                                              "0.000025,leaf-0:0,4500,3\n"
                                              "0.000025,leaf-0:1,0,0\n"
                                              "0.000025,spine-0:0,40,1\n"));
        AddTestCase(new QueueRecorderTestCase(true,
                                              "0.000005,leaf-0:1,1500,1\n"
                                              "0.000005,spine-0:0,40,1\n"
                                              "0.000015,leaf-0:0,4500,3\n"
                                              "0.000015,spine-0:0,40,1\n"
                                              "0.000025,leaf-0:0,4500,3\n"
                                              "0.000025,spine-0:0,40,1\n"));
        AddTestCase(new QueueRecorderEndTestCase);
    }
};

static QueueRecorderTestSuite g_queueRecorderTestSuite; //!< Static variable for test initialization
