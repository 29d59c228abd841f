// The control API of the sandbox (sandbox/CONTROL.md).

export class ApiError extends Error {
  constructor(status, text) {
    super(text);
    this.status = status;
  }
}

async function call(path, options) {
  let response;
  try {
    response = await fetch(`/sandbox/${path}`, options);
  } catch {
    throw new ApiError(0, "The sandbox does not answer. Is it still running?");
  }
  const data = await response.json().catch(() => ({}));
  if (!response.ok) throw new ApiError(response.status, data.error ?? `The sandbox answered ${response.status}.`);
  return data;
}

function query(values) {
  const given = Object.entries(values).filter(([, v]) => v !== undefined && v !== null);
  return given.length ? `?${new URLSearchParams(given)}` : "";
}

export const get = (path, values = {}) => call(path + query(values));
export const post = (path, body) => call(path, { method: "POST", body: JSON.stringify(body) });

/** What one person can see and do. */
export const as = (id) => ({
  see: (view, values) => get(`people/${id}/${view}`, values),
  act: (action, body) => post(`people/${id}/${action}`, body),
});

/**
 * A person's journal as it grows, over a WebSocket that comes back by itself and goes on where it was.
 * `since()` gives the cursor, `entry(e)` takes each entry, `status(up)` hears of the connection, and
 * `resume()` is awaited before each new try; when it answers false, the stream ends.
 */
export function stream(id, { since, entry, status, resume }) {
  let socket = null;
  let ended = false;
  let pause = 300;

  async function open() {
    if (ended) return;
    const scheme = location.protocol === "https:" ? "wss" : "ws";
    socket = new WebSocket(`${scheme}://${location.host}/sandbox/people/${id}/stream?cursor=${since()}`);
    socket.binaryType = "arraybuffer";
    socket.onopen = () => {
      pause = 300;
      if (!ended) status(true);
    };
    socket.onmessage = (frame) => {
      if (ended) return;
      const text = typeof frame.data === "string" ? frame.data : new TextDecoder().decode(frame.data);
      entry(JSON.parse(text));
    };
    socket.onclose = async () => {
      if (ended) return;
      status(false);
      await new Promise((done) => setTimeout(done, pause));
      pause = Math.min(pause * 2, 5000);
      if (!ended && (await resume())) open();
    };
  }
  open();
  return () => {
    ended = true;
    socket?.close();
  };
}
