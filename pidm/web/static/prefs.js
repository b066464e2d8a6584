// What the visitor prefers, set before anything is drawn. Not a module: those come too late.
for (const name of ["theme", "colours"]) {
  const chosen = localStorage.getItem(name);
  if (chosen) document.documentElement.dataset[name] = chosen;
}
