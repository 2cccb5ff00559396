# The service with its embedded database; docs/deployment.md tells how to run it.
FROM node:24.20.0-trixie-slim AS build
WORKDIR /app
COPY package.json package-lock.json LICENSE ./
RUN npm ci --omit=dev --ignore-scripts --no-audit --no-fund \
 && find node_modules -name '*.map' -delete
COPY cli cli
COPY sql sql
COPY src src
COPY workers workers
# the bundle replaces the sources, and what makes it
RUN node cli/build/make-bundle.mjs \
 && rm -rf node_modules/esbuild node_modules/@esbuild workers \
 && find cli src -name '*.ts' -delete

FROM node:24.20.0-trixie-slim
RUN groupmod --new-name app node \
 && usermod --login app --home /var/lib/svc node \
 && mkdir -p /var/lib/svc/media/originals /srv/svc/backups \
 && chown -R app:app /var/lib/svc /srv/svc \
 && ln -s /app/cli/svc-manage.mjs /usr/local/bin/svc-manage \
 && ln -s /app/cli/alembic.mjs /usr/local/bin/alembic
COPY --from=build /app /app
RUN mkdir /app/node_modules/.cache && chown app:app /app/node_modules/.cache
# where commands find files that are named to them, and write what they refuse
WORKDIR /var/lib/svc
# the last two: less memory that is only kept for later
ENV SVC_CONTAINER=true \
    NODE_OPTIONS=--max-semi-space-size=8 \
    MALLOC_ARENA_MAX=2
# app; as numbers, so that Kubernetes sees that it is not root
USER 1000:1000
# a first start on trial: what Node compiles stays in the image, and an image that cannot start is never finished
RUN SVC_DATA_DIR=/tmp/trial BACKUP_ENABLED=false timeout --preserve-status 12 svc-manage serve && rm -r /tmp/trial
VOLUME ["/var/lib/svc", "/srv/svc/backups"]
EXPOSE 8000
HEALTHCHECK --interval=30s --timeout=5s --start-period=60s --start-interval=2s \
  CMD ["node", "-e", "fetch(`http://127.0.0.1:${process.env.PORT || 8000}/health`).then(({ ok }) => process.exit(ok ? 0 : 1), () => process.exit(1))"]
ENTRYPOINT ["svc-manage"]
CMD ["serve"]
