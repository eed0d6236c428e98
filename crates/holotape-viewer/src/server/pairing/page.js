// Asks for the code, and goes on to what was asked for. A browser that holotape opened itself brings a ticket in the address.

const form = document.querySelector("#pairing");
const field = document.querySelector("#code");
const pair = document.querySelector("#pair");
const status = document.querySelector("#status");

/** Digits as people type them anywhere in the world, up to as many as a code can have. */
function digits() {
  return field.value.normalize("NFKC").replace(/\D/g, "").slice(0, 16);
}

/** In the groups that the terminal shows. */
function write(text) {
  const group = text.length > 6 ? /\d{1,4}/g : /\d{1,3}/g;
  field.value = (text.match(group) ?? []).join(" ");
  field.classList.toggle("long", text.length > 6);
}

function say(words, isWrong = false) {
  status.textContent = words;
  status.classList.toggle("wrong", isWrong);
  field.setAttribute("aria-invalid", String(isWrong));
}

/** Brings a code or a ticket; gives the answer, or nothing if there was none. */
async function apply(application) {
  const headers = { "content-type": "application/json" };
  return await fetch("/pair", { method: "POST", headers, body: JSON.stringify(application) }).catch(() => null);
}

function goOn() {
  say("Paired.");
  // Not back to here: what was asked for takes the place of this page.
  location.replace(location.pathname + location.search);
}

async function send() {
  if (pair.disabled || digits() === "") {
    return;
  }
  pair.disabled = true;
  say("One moment…");
  const answer = await apply({ code: digits() });
  if (answer?.ok) {
    goOn();
    return;
  }
  if (answer === null) {
    say("holotape does not answer: does it still run?", true);
    pair.disabled = false;
    return;
  }
  if (answer.status === 401) {
    write("");
  }
  await sitOut(answer);
}

/** Says what was wrong, and for how long nothing else will be looked at. */
async function sitOut(answer) {
  const reason = answer.status === 401 ? "Not the code that counts now." : "Too many wrong codes.";
  for (let left = Number(answer.headers.get("retry-after") ?? 0); left > 0; left--) {
    say(`${reason} Wait ${left} s.`, true);
    await new Promise((resolve) => setTimeout(resolve, 1000));
  }
  say(answer.status === 401 ? reason : "Try again.", true);
  pair.disabled = false;
  field.focus();
}

form.addEventListener("submit", (event) => {
  event.preventDefault();
  void send();
});

field.addEventListener("input", () => write(digits()));

for (const key of form.querySelectorAll(".keys button[type=button]")) {
  key.addEventListener("click", () => {
    write(key.dataset.key === "Backspace" ? digits().slice(0, -1) : digits() + key.textContent);
    say("");
  });
}

const ticket = /^#ticket=(\w+)$/.exec(location.hash)?.[1];
if (ticket !== undefined) {
  // It is good once, and nobody needs to find it in the history.
  history.replaceState(null, "", location.pathname + location.search);
  const answer = await apply({ ticket });
  if (answer?.ok) {
    goOn();
  }
}
document.querySelector("main").hidden = false;
field.focus();
