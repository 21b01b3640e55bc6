# SPDX-License-Identifier: GPL-2.0-only
# docker build -t dc-suite . && docker run -it dc-suite ./repro run
FROM debian:12@sha256:2c037a04925515fdd6ea85ea14a682d0e79931f5e9f5d07b6dbfc6ba12f9e858
COPY . /suite
WORKDIR /suite
RUN ./repro setup
CMD ["./repro", "run"]
