"""The laboratory's page with a robot inside; the page itself is tested in a browser, by `make test-laboratory`."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import appell

PAGE = "<html><!-- appell: head --><body>bench</body></html>"


@pytest.fixture(autouse=True)
def page(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    path = tmp_path / "page.html"
    path.write_text(PAGE, encoding="utf-8")
    monkeypatch.setenv("APPELL_LABORATORY", str(path))
    return path


def inside(view: appell.View) -> Any:
    head, rest = view.html.split('<script type="application/json" id="robot">')
    text, tail = rest.split("</script>", 1)
    assert head + tail == PAGE.replace("<!-- appell: head -->", "")
    return json.loads(text)


def test_a_robot_is_shown_where_it_is_asked_for() -> None:
    q = [0.1, -0.2, 0.3, 0.4, 0.5, 0.6]
    given = inside(appell.load("puma560").view(q, open=False))
    assert given["q"] == q and given["file"].endswith(".toml")
    assert np.array_equal(appell.Robot(given["text"]).inverse_dynamics(q, q, q), appell.load("puma560").inverse_dynamics(q, q, q))
    delta = appell.load("delta")
    assert set(inside(delta.view(open=False))) == {"file", "text"}
    pose = np.eye(4)
    pose[:3, 3] = delta.home_numbers[:3]  # type: ignore[index]
    assert len(inside(delta.view(pose, open=False))["pose"]) == 7
    assert len(inside(delta.view(np.zeros(3), open=False))["drives"]) == 3


def test_the_page_holds_what_was_changed_and_no_end_of_its_script() -> None:
    heavier = appell.load("puma560").with_payload(2.0)
    text = inside(heavier.view(open=False))["text"]
    q = np.full(6, 0.3)
    assert np.allclose(appell.Robot(text).gravity(q), heavier.gravity(q), rtol=1e-12)
    named = appell.Robot("# </script>\n" + appell.load("scara").to_text(), "toml")
    assert inside(named.view(open=False))["text"].startswith("# </script>")


def test_it_opens_in_a_browser_or_is_shown_in_place(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    opened: list[str] = []
    monkeypatch.setattr("webbrowser.open", opened.append)
    view = appell.load("delta").view()
    assert len(opened) == 1 and opened[0].startswith("file://")
    assert "<iframe srcdoc=" in view._repr_html_() and "&lt;script" in view._repr_html_()
    saved = view.save(tmp_path / "delta.html")
    assert saved.read_text(encoding="utf-8") == view.html
    with pytest.raises(FileExistsError):
        view.save(saved)


def test_a_missing_page_says_what_to_do(page: Path) -> None:
    page.write_text("<html></html>", encoding="utf-8")
    with pytest.raises(ValueError, match="make laboratory"):
        appell.load("delta").view()
    page.unlink()
    with pytest.raises(FileNotFoundError, match="make laboratory"):
        appell.load("delta").view()
