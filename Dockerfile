# The bot as an image. It runs as a user without rights, on a file system that may be read-only; matches are in /data.
# docs/operating/container.md says how it is run; tools/container_check.py tries these steps without Docker.

FROM python:3.13-slim AS build

ENV PIP_NO_CACHE_DIR=1 PIP_DISABLE_PIP_VERSION_CHECK=1
WORKDIR /src
RUN python -m venv /venv
COPY constraints-hashed.txt ./
RUN /venv/bin/python -m pip install --only-binary :all: --require-hashes --requirement constraints-hashed.txt
COPY pyproject.toml README.md LICENSE ./
COPY engine ./engine
COPY bot ./bot
COPY cogs ./cogs
RUN /venv/bin/python -m pip install --no-deps --no-build-isolation .
# Nothing is installed into the image any more.
RUN /venv/bin/python -m pip uninstall --yes setuptools pip


FROM python:3.13-slim

LABEL org.opencontainers.image.title="Digsite" \
      org.opencontainers.image.description="A Discord bot that hosts turn-based board games with hidden hands" \
      org.opencontainers.image.licenses="MIT"

RUN groupadd --gid 10001 digsite \
 && useradd --uid 10001 --gid 10001 --no-create-home --home-dir /data --shell /usr/sbin/nologin digsite \
 && install --directory --owner=10001 --group=10001 --mode=0700 /data
COPY --from=build /venv /venv

# The time and the hash of the commit, as in 20261122175512.b64bec4f2a10 (docs/releasing.md); empty: not known.
ARG DIGSITE_BUILD=""
ENV PATH=/venv/bin:$PATH \
    PYTHONDONTWRITEBYTECODE=1 \
    PYTHONUNBUFFERED=1 \
    DATABASE_PATH=/data/digsite.sqlite3 \
    METRICS=127.0.0.1:9464 \
    DIGSITE_BUILD=$DIGSITE_BUILD

USER 10001:10001
WORKDIR /data
VOLUME /data
STOPSIGNAL SIGTERM
HEALTHCHECK --interval=30s --timeout=10s --start-period=60s --retries=3 CMD ["digsite", "healthy"]
ENTRYPOINT ["digsite"]
CMD ["run"]
