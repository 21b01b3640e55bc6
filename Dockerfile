# SPDX-License-Identifier: GPL-2.0-only
# docker build -t dc-suite . && docker run -it dc-suite ./repro run
FROM debian:12
COPY . /suite
WORKDIR /suite
RUN ./repro setup
CMD ["./repro", "run"]
