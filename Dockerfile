# docker build -t rubricon .
# docs/operating.md, “Docker”, describes the proxy, and the page that it shows while the container does not run.
# docker run -d --read-only --cap-drop ALL -p 127.0.0.1:3000:3000 -v rubricon:/data --env-file rubricon.env rubricon

# The build runs on the project's own Node; the image's Node only runs npm and the set-up script.
FROM node:22-bookworm-slim AS build
RUN apt-get update && apt-get install -y --no-install-recommends binutils libatomic1 && rm -rf /var/lib/apt/lists/*
WORKDIR /source
COPY . .
RUN npm run package

FROM debian:12-slim
RUN apt-get update && apt-get install -y --no-install-recommends libatomic1 libstdc++6 && rm -rf /var/lib/apt/lists/*
RUN groupadd --gid 10001 rubricon && useradd --uid 10001 --gid 10001 --no-create-home --home-dir /data --shell /usr/sbin/nologin rubricon && install -d -m 0700 -o rubricon -g rubricon /data
COPY --from=build /source/dist/rubricon /usr/local/bin/rubricon
ENV RUBRICON_HOST=0.0.0.0 RUBRICON_DATA_DIR=/data
# These settings save memory, as in packaging/rubricon.service.
ENV MALLOC_ARENA_MAX=1 NODE_OPTIONS=--max-semi-space-size=4
USER 10001:10001
WORKDIR /data
VOLUME /data
EXPOSE 3000
HEALTHCHECK --interval=30s --timeout=10s --start-period=10s CMD ["rubricon", "health"]
ENTRYPOINT ["rubricon"]
