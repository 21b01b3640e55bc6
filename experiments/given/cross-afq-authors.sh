#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# Makes cross-afq-authors.csv and cross-afq-authors-incast.csv of this folder anew: cross-afq-authors.sh CODE, with CODE a
# checkout of commit 25832d6 of github.com/KiwiChicken/EC_offloading, which is not part of this suite:
#   git clone https://github.com/KiwiChicken/EC_offloading CODE && git -C CODE checkout 25832d6
# K, DCTCP's threshold of a port of 10 and of 40 Gbit/s, is a constant of its queue.h.
set -euo pipefail
here=$(dirname "$(realpath "$0")")
work=$(mktemp -d)
cp "$1"/*.cpp "$1"/*.h "$work"
cd "$work"
rm main.cpp test_*.cpp
sed -i 's/return 30 \*/return EDGE_K */; s/return 90 \*/return CORE_K */' queue.h
for k in "20 80" "30 90"; do
    read -r edge core <<< "$k"
    c++ -std=c++11 -O2 -w -DEDGE_K="$edge" -DCORE_K="$core" -I. "$here/cross-afq-authors.cc" ./*.cpp -o "public-$edge"
done

title() {
    echo "# github.com/KiwiChicken/EC_offloading, commit 25832d6, $(date -u +%F): experiments/given/cross-afq-authors.sh CODE"
    echo "$1"
}
run() { # the columns that name a run, the program, its arguments
    row=$("./$2" "${@:3}") && echo "$1,$row"
}
export -f run

{
    title "simulator,scheme,seed,sizes,load,all_flows,all_unfinished,all_mean,all_p99,all_mean_us,short_flows,short_unfinished,short_mean,short_p99,short_mean_us,packets_dropped"
    for sizes in enterprise synthetic; do for load in 0.3 0.7 0.9; do for seed in {1..5}; do
        for scheme in tcp dctcp sfq afq afq-dctcp ideal-fq; do
            echo "public,$scheme,$seed,$sizes,$load" public-20 cluster $scheme $seed $sizes $load
        done
        echo "public-30-90,dctcp,$seed,$sizes,$load" public-30 cluster dctcp $seed $sizes $load
        echo "public-30-90,afq,$seed,$sizes,$load" public-30 cluster afq $seed $sizes $load
    done; done; done | xargs -P "$(nproc)" -L 1 bash -c 'run "$@"' _ | sort -V
} > "$here/cross-afq-authors.csv"
{
    title "simulator,scheme,seed,senders,completion_ms,packets_dropped"
    for senders in 4 16 64 80 96 100 128 200 256; do for seed in {1..10}; do
        for scheme in tcp dctcp sfq afq ideal-fq; do
            echo "public,$scheme,$seed,$senders" public-20 incast $scheme $seed $senders
        done
        echo "public-30-90,dctcp,$seed,$senders" public-30 incast dctcp $seed $senders
        echo "public-30-90,afq,$seed,$senders" public-30 incast afq $seed $senders
    done; done | xargs -P "$(nproc)" -L 1 bash -c 'run "$@"' _ | sort -V
} > "$here/cross-afq-authors-incast.csv"
rm -r "$work"
