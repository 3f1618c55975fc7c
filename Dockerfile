# An image of the server with its dashboard and both kinds of stores. Data of the embedded store is in /data.
#   docker build -t mergecast .                             from this clone
#   scripts/build image                                     with the wheel in dist/, as a release does
# Tags move. To build from exactly the same bases again, pass their digests:
#   docker build --build-arg PYTHON_IMAGE=python:3.11-slim@sha256:… --build-arg NODE_IMAGE=node:24-slim@sha256:… .
ARG NODE_IMAGE=node:24-slim
ARG PYTHON_IMAGE=python:3.11-slim
# `built`: the wheel of this clone; `released`: the one in dist/, with dist/wheels/ in place of a package index if it exists.
ARG WHEEL=built

FROM ${NODE_IMAGE} AS dashboard
WORKDIR /app/dashboard
COPY dashboard ./
RUN npm ci && npm run build

FROM ${PYTHON_IMAGE} AS built
WORKDIR /app
COPY requirements/server.txt requirements/server.txt
RUN pip install --no-cache-dir --no-deps --require-hashes --requirement requirements/server.txt
COPY pyproject.toml setup.py README.md LICENSE ./
COPY src src
COPY --from=dashboard /app/src/mergecast/api/dashboard src/mergecast/api/dashboard
RUN pip wheel --no-cache-dir --no-deps --no-build-isolation --wheel-dir /dist .

FROM scratch AS released
COPY dist /dist

# hadolint ignore=DL3006
FROM ${WHEEL} AS wheel

FROM ${PYTHON_IMAGE} AS server
ARG VERSION=0.1.0
LABEL org.opencontainers.image.title="Mergecast" \
      org.opencontainers.image.description="Statistics, simulation and forecasts of merge queues" \
      org.opencontainers.image.version="${VERSION}" \
      org.opencontainers.image.licenses="Apache-2.0"
# Without a network, dist/wheels has what requirements/server.txt lists (pip download), and PIP_NO_INDEX=1 is given.
ARG PIP_NO_INDEX
RUN --mount=type=bind,from=wheel,source=/dist,target=/dist \
    --mount=type=bind,source=requirements,target=/requirements \
    python3 -m venv /opt/mergecast && \
    /opt/mergecast/bin/pip install --no-cache-dir --find-links /dist/wheels \
        --no-deps --require-hashes --requirement /requirements/server.txt && \
    /opt/mergecast/bin/pip install --no-cache-dir --no-deps /dist/mergecast-*.whl
RUN groupadd --gid 10001 mergecast && useradd --uid 10001 --gid 10001 --no-create-home mergecast && \
    install --directory --owner 10001 --group 10001 /data
USER 10001:10001
WORKDIR /data
ENV PATH=/opt/mergecast/bin:$PATH MERGECAST_DATA_DIR=/data MERGECAST_HOST=0.0.0.0
VOLUME /data
EXPOSE 8000
HEALTHCHECK --interval=30s --timeout=10s --start-period=60s CMD ["python", "-I", "-m", "mergecast", "admin", "ready"]
CMD ["mergecast", "serve"]
