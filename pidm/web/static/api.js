// Talking to the server.

export class Problem extends Error {}

async function answer(response) {
  let data = {};
  try {
    data = await response.json();
  } catch {
    throw new Problem(`The server answered ${response.status}.`);
  }
  if (!response.ok) throw new Problem(data.error || `The server answered ${response.status}.`);
  return data;
}

async function reach(path, options) {
  let response;
  try {
    response = await fetch(path, options);
  } catch (error) {
    if (error.name === "AbortError") throw error;
    throw new Problem("pidm does not answer. Is `pidm serve` still running?");
  }
  return answer(response);
}

export function get(path, query = {}, signal = undefined) {
  const given = Object.entries(query).filter(([, value]) => value !== undefined && value !== null);
  const text = new URLSearchParams(given).toString();
  return reach(text ? `${path}?${text}` : path, { signal });
}

export function post(path, body) {
  return reach(path, { method: "POST", headers: { "Content-Type": "application/json" }, body: JSON.stringify(body) });
}

// Listens to server-sent events until `stop` is called: handlers by name of event.
export function listen(path, handlers, failed = () => {}) {
  const source = new EventSource(path);
  for (const [name, handler] of Object.entries(handlers)) {
    source.addEventListener(name, (event) => handler(JSON.parse(event.data), () => source.close()));
  }
  source.onerror = () => { if (source.readyState === EventSource.CLOSED) failed(); };
  return () => source.close();
}
