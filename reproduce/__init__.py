# SPDX-License-Identifier: GPL-2.0-only
"""From experiments (YAML) to runs, tables, figures, claims and a report. Started by ./repro."""
