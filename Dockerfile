FROM node:24-slim AS packages
WORKDIR /app
COPY package.json package-lock.json .npmrc ./
# Optional are a Node and a Postgres for checkouts; an image has the first and is given the second.
# PostGraphile depends on an editor of 160 MB that Rowgate does not serve.
RUN npm ci --omit=dev --omit=optional --ignore-scripts \
  && cd node_modules && rm -r ruru ruru-types graphiql @graphiql monaco-editor monaco-graphql

FROM node:24-slim AS console
WORKDIR /app
COPY package.json package-lock.json .npmrc tsconfig.json ./
RUN npm ci --ignore-scripts
COPY build build
COPY server server
RUN node build/console.ts

FROM node:24-slim
ENV NODE_ENV=production HOST=0.0.0.0 PORT=5678 ROWGATE_DATA_DIR=/data
WORKDIR /app
COPY --from=packages /app/node_modules node_modules
COPY package.json LICENSE ./
COPY bin bin
COPY permissions permissions
COPY server server
COPY sql sql
COPY metadata metadata
COPY --from=console /app/server/console/built server/console/built
RUN mkdir /data && chown node:node /data
USER node
EXPOSE 5678
HEALTHCHECK --interval=10s --timeout=5s --start-period=30s \
  CMD ["node", "-e", "fetch(`http://127.0.0.1:${process.env.PORT}/healthz`).then((r) => process.exit(r.ok ? 0 : 1), () => process.exit(1))"]
ENTRYPOINT ["node", "bin/rowgate.js"]
CMD ["serve"]
