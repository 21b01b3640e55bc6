/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

// Your first scheme: DCTCP with a marking threshold of your own.
//
//   ./repro sim fct -- --scheme=my-first --load=0.6
//
// A scheme says how a network is run, and nothing of what runs over it. Most name parts and
// constants only and are a row: a name, what it is based on with the attributes that differ, a
// summary. The row is all it takes to be known as --scheme=my-first to every scenario. One that
// does something of its own is a class: see second-scheme.cc.

#include "ns3/scheme.h"

using namespace ns3;

static const SchemeRows rows{
    {"my-first", "dctcp:MarkThreshold=60kB", "my first scheme: DCTCP with a threshold of my own"},
};
