// Talking to the server, for the view that is shown.

export class Problem extends Error {}

// Whatever a view has asked for is dropped when the view is left: what it would go on to do (draw, move on to
// another address, take keys) belongs to a page that is no longer there. Streams of events end, too.
let visit = new AbortController();
export function nextVisit() {
  visit.abort();
  visit = new AbortController();
  return visit.signal;
}

// An answer, or for who has left in the meantime none at all: neither this nor an error.
const ifStillHere = (answer, { signal } = visit) => new Promise((give, fail) => {
  answer.then((data) => { if (!signal.aborted) give(data); }, (error) => { if (!signal.aborted) fail(error); });
});

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
  } catch {
    throw new Problem("pidm does not answer. Is `pidm serve` still running?");
  }
  return answer(response);
}

export function get(path, query = {}) {
  const given = Object.entries(query).filter(([, value]) => value !== undefined && value !== null);
  const text = new URLSearchParams(given).toString();
  return ifStillHere(reach(text ? `${path}?${text}` : path, { signal: visit.signal }));
}

export function post(path, body) {
  // What was asked to be done is done, also if nobody waits for the answer.
  return ifStillHere(reach(path, { method: "POST", headers: { "Content-Type": "application/json" }, body: JSON.stringify(body) }));
}

// Listens to server-sent events until a handler calls `stop` or the view is left: handlers by name of event.
export function listen(path, handlers, failed = () => {}) {
  const source = new EventSource(path);
  for (const [name, handler] of Object.entries(handlers)) {
    source.addEventListener(name, (event) => handler(JSON.parse(event.data), () => source.close()));
  }
  source.onerror = () => { if (source.readyState === EventSource.CLOSED) failed(); };
  visit.signal.addEventListener("abort", () => source.close());
}
