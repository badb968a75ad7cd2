# The API, its sources and the command `vitrine`. docs/guides/deploy.md says how to run it.
FROM node:22-bookworm AS build
WORKDIR /vitrine
COPY . .
ENV CI=true
RUN npm run build && npm run prune && rm -rf .cache docs test test-support/src bench

FROM node:22-bookworm-slim
# Git sources run git, and ssh for addresses of that kind. Helpers of a git that was stopped have no parent any more: tini removes them when they have ended.
RUN apt-get update && apt-get install --yes --no-install-recommends ca-certificates git openssh-client tini && rm -rf /var/lib/apt/lists/*
WORKDIR /vitrine
COPY --from=build /vitrine .
# All that is written is in /data, so the root file system can be read-only.
RUN mkdir /data && chown node:node /data
# These options save memory: docs/guides/deploy.md.
ENV NODE_OPTIONS="--max-semi-space-size=4 --v8-pool-size=2"
ENV NODE_ENV=production HOST=0.0.0.0 PORT=3000 VITRINE_CONFIG=/data/vitrine.yaml XDG_CACHE_HOME=/data/cache
USER node
VOLUME /data
EXPOSE 3000
HEALTHCHECK --interval=10s --timeout=5s --start-period=60s --retries=3 \
  CMD ["node", "--eval", "fetch(`http://127.0.0.1:${process.env.PORT}/readyz`).then(({ ok }) => process.exit(ok ? 0 : 1), () => process.exit(1))"]
STOPSIGNAL SIGTERM
ENTRYPOINT ["tini", "--"]
CMD ["node", "apps/http/dist/main.js"]
