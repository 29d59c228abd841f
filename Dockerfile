FROM python:3.11-slim

ENV PYTHONUNBUFFERED=1 PIP_DISABLE_PIP_VERSION_CHECK=1

# The games lie in /data, which is the folder `data` of the default configuration.
RUN useradd --system --uid 10001 --home-dir /app --shell /usr/sbin/nologin bot \
    && install --directory --owner=bot --group=bot /app /data \
    && ln --symbolic /data /app/data
WORKDIR /app

COPY requirements.txt ./
RUN pip install --no-cache-dir --requirement requirements.txt

COPY bot.py config.example.toml LICENSE ./
COPY cogs cogs
COPY db db
COPY render render
COPY rules rules
COPY sandbox sandbox
RUN python -m compileall -q bot.py cogs db render rules sandbox

USER bot
VOLUME /data
HEALTHCHECK --interval=60s --timeout=15s --start-period=60s --retries=3 CMD ["python", "bot.py", "--health"]
STOPSIGNAL SIGTERM
CMD ["python", "bot.py"]
