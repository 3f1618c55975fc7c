# The server with its dashboard and both kinds of stores. Data of the embedded store is in /data.
FROM node:24-slim AS dashboard
WORKDIR /app/dashboard
COPY dashboard ./
RUN npm ci && npm run build

FROM python:3.11-slim
WORKDIR /app
COPY requirements requirements
RUN pip install --no-cache-dir --no-deps --require-hashes --requirement requirements/server.txt
COPY pyproject.toml README.md LICENSE ./
COPY src src
COPY --from=dashboard /app/src/mergecast/api/dashboard src/mergecast/api/dashboard
RUN pip install --no-cache-dir --no-deps --no-build-isolation .
RUN useradd --system --uid 10001 mergecast && mkdir /data && chown mergecast /data
USER 10001
ENV MERGECAST_DATA_DIR=/data MERGECAST_HOST=0.0.0.0
# Each thread keeps more of the small pieces of memory that DuckDB frees: an answer takes a sixth less CPU time.
ENV GLIBC_TUNABLES=glibc.malloc.tcache_count=1000
VOLUME /data
EXPOSE 8000
CMD ["mergecast", "serve"]
