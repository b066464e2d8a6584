// Who is here, and how to come back to a board.

export function sessionName() {
  let name = sessionStorage.getItem("session");
  if (!name) {
    name = crypto.getRandomValues(new Uint32Array(2)).join("-");
    sessionStorage.setItem("session", name);
  }
  return name;
}

// Whether the page is looked at on the computer where pidm runs.
export const atHome = () => ["127.0.0.1", "localhost", "[::1]"].includes(location.hostname);

// The address that deals a board again.
export function linkOf({ asked, people }) {
  const { us, them, kind, seconds, seed, number } = asked;
  return `#/practise?${new URLSearchParams({ us, them, kind, seat: people[0], seconds, seed, number, ...(people.length > 1 ? { two: 1 } : {}) })}`;
}
