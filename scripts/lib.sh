# Shared by the scripts beside it: `environment run` or `environment dev` leaves a ready .venv at the top of the
# repo. It is made once, and anew when setup.cfg or the version of Python changes, or when the repo has been moved:
# what is in an environment names its place.

top=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd -P)
venv=$top/.venv

fail() {
  printf '%s\n' "$@" >&2
  exit 1
}

# The first Python that is new enough: the one named in $PYTHON, else python3, else a versioned one beside it.
find_python() {
  local name names=(python3 python3.14 python3.13 python3.12 python3.11 python3.10)
  [ -n "${PYTHON:-}" ] && names=("$PYTHON")
  for name in "${names[@]}"; do
    if command -v "$name" >/dev/null && "$name" -c 'import sys; sys.exit(sys.version_info < (3, 10))' 2>/dev/null; then
      command -v "$name"
      return
    fi
  done
  local found
  found=$("${names[0]}" --version 2>&1) || found="no ${names[0]}${PYTHON:+, which \$PYTHON names}"
  fail "pidm needs Python 3.10 or newer; found: $found." \
    "Install one (Debian, Ubuntu: apt install python3 python3-venv; macOS: brew install python3)" \
    "or name one: PYTHON=/path/to/python3.12 $0"
}

environment() {
  local python key extra
  python=$(find_python) || exit 1
  key=$("$python" - "$top" <<'PY'
import hashlib, os, sys
with open(sys.argv[1] + "/setup.cfg", "rb") as file:
    print(hashlib.sha256(os.fsencode(sys.argv[1]) + sys.version.encode() + file.read()).hexdigest()[:16])
PY
  )
  [ -e "$venv/stamp-$1-$key" ] && return
  if ! "$python" -c 'import venv, ensurepip' 2>/dev/null; then
    fail "$python lacks venv. Install it (Debian, Ubuntu: apt install python3-venv) and run $0 again."
  fi
  extra='[web,pdf]'  # what the commands of the README need
  [ "$1" = dev ] && extra='[dev]'
  echo "Installing pidm$extra into .venv; this happens once." >&2
  compgen -G "$venv/stamp-*-$key" >/dev/null || "$python" -m venv --clear "$venv" || fail "could not make $venv"
  "$venv/bin/python" -m pip install -qq --disable-pip-version-check --editable "$top$extra" ||
    fail "pip could not install pidm and what it needs; see its message above."
  touch "$venv/stamp-$1-$key"
}
