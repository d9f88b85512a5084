"""The guard against folding what differs."""

from typing import Final

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memoranda.text.contradiction import MAX_COMPARED_CHARS, compare, differs

DIFFERENT = [
    ("the model does lose accuracy", "the model does not lose accuracy"),
    ("22 percent of users", "31 percent of users"),
    ("do go there", "do not go there"),
    ("the port is 8080", "the port is 9090"),
    ("don't deploy on it", "do deploy on it"),
    ("don’t deploy", "deploy"),
    ("uses version 1.2.3", "uses version 1.2.4"),
    ("the call is at 3pm", "the call is at 3 am"),
    ("ran 5 km", "ran 5 miles"),
    ("it is -5 outside", "it is 5 outside"),
    ("due 2024-05-01", "due 2024-05-02"),
    ("owns two dogs", "owns three dogs"),
    ("move it from 3 to 5", "move it from 5 to 3"),
    ("standup on Monday", "standup on Tuesday"),
    ("Er isst Fleisch", "Er isst kein Fleisch"),
    ("Ana come carne", "Ana no come carne"),
    ("Il mange de la viande", "Il ne mange pas de viande"),
    ("他喜欢茶", "他不喜欢茶"),
    ("午后三点开会", "午后四点开会"),
    ("tea with sugar", "tea without sugar"),
]
ALIKE = [
    ("I like tea", "I really like tea"),
    ("22 percent", "22 %"),
    ("1,000 users", "1000 users"),
    ("５ km", "5 km"),
    ("don't go", "do not go"),
    ("cannot go", "can't go"),
    ("Il ne mange pas", "Il mange pas"),
    ("Ana no come nunca carne", "Ana nunca come carne"),
    ("on 3 May at 5pm", "at 5 p.m. on 3 May"),
    ("Café at MONDAY", "cafe at monday"),
    ("", ""),
]
# Pairs that share nearly all of their words and say different things.
NEAR: Final = """
Anna told Ben that Carl left|Anna told Carl that Ben left
The dog in the house bit the man|The dog bit the man in the house
Prefers tea to coffee|Prefers coffee to tea
Not all users pay|All users do not pay
Likes tea, not coffee|Likes coffee, not tea
Uses tabs instead of spaces|Uses spaces instead of tabs
Drink before eating on Monday|On Monday before eating drink
I saw her duck|I saw her ducks
Ana is a nurse|Ana is a nurse?
The port is 80|The port is 8.0
The price is $5|The price is £5
The price is $5|The price is 5
Ratio 1/2|Ratio 2/1
Score 3-5|Score 5-3
Temperature -5|Temperature 5
Use C|Use C++
Use C#|Use C
rm -r folder|rm folder
rm *.py|rm py
a > b|a < b
Deploy from A to B|Deploy from B to A
Password is "Abc"|Password is "abc"
Key is aB3xYz9Q|Key is ab3xyz9q
File a_b|File a.b
10k rows|10 k rows and more
5 m|5 M
5 Mbit|5 MB
1,234|1.234
Ana does yoga|Ana does not do yoga
He has worked there|He worked there
He had a dog|He has a dog
He was there|He is there
I am happy|He is happy
She likes it|He likes it
Both approve|Both disapprove
Cut A with B|Cut B with A
On Monday Ana called Ben|On Monday Ben called Ana
On Monday Ana called Ben|Ben Ana called on Monday
Am Montag liebt Anna Ben|Ben liebt Anna am Montag
Die Katze jagt den Hund|Den Hund jagt die Katze nicht
La vio Ana|Lo vio Ana
Ana la ve|Ana lo ve
Ana los ve|Ana las ve
Er gibt ihr das Buch|Er gibt ihm das Buch
Er ist müde|Er ist mude
Sie sind da|Ihr sind da
La mañana es fría|La manana es frío
Yo compro casas|Yo compro casa
他没去|他不去
他去过北京|他去北京
不是他|是他
他的狗和猫|他和狗的猫
我给他钱|他给我钱
十二月三日|十二月四日
三点|十五点
今天开会|明天开会
会议周三|会议周四
他是我的老师|我是他的老师
Meet at noon|Meet at midnight
Meet at 12 am|Meet at 12 pm
晚上12点开会|中午12点开会
First test then deploy|First deploy then test
Ana or Ben|Ana and Ben
Ana and Ben or Carl|Ana or Ben and Carl
The lion's cub|The cub's lion
Mother of Ana|Ana of mother
Ana's mother|Mother's Ana
We must not|We must
You needn't come|You mustn't come
may not|might not
up to 5 users|5 users
more than 5 users|less than 5 users
at least 5 users|at most 5 users
at least 5 users|5 users
~5 users|5 users
every second day|every day
twice a day|once a day
half the users|the users
the 2nd floor|the 3rd floor
1st May|2nd May
May 2024|May 2025
in May|in June
Q1 results|Q2 results
v1|v2
👍|👎
Deploy 👍|Deploy 👎
the file.|the file?
किताब लाल है|किताब लाल नहीं है
कि|की
Он любит чай|Он не любит чай
Он живёт в Риме|Он живёт в Осло
안녕 민수|안녕 민지
Ana is leaving Acme|Ana is left Acme
He stopped drinking|He stopped to drink
Ana has been fired|Ana has fired
Ana has been fired by Ben|Ana has fired Ben
Ana is fired|Ana fired
Ana was hired by Ben|Ben was hired by Ana
Hired Ana|Ana hired
unless paid|if paid
Contact: Ana, not Ben|Contact: Ben, not Ana
user.name is x|user name is x
No, deploy it|No deploy it
No deploys, please|No, deploys please
Backup on Monday. Restore on Tuesday|Backup on Tuesday. Restore on Monday
Backup on Monday, restore on Tuesday|Backup on Tuesday, restore on Monday
Backup at 9, restore at 10|Backup at 10, restore at 9
The user limit is 5|The limit is 5
User prefers tea|Ana prefers tea
Ana's|Anas
its port|it's port
the US team|the us team
an IT job|an it job
She may march|She march may
Ana in Rome met Ben in Oslo|Ana in Oslo met Ben in Rome
with Ana without Ben|without Ana with Ben
to Ana from Ben|from Ana to Ben
The call with Ana on Monday is about the call on Tuesday|The call with Ana on Tuesday is about the call on Monday
I am not sure he left|I am sure he did not left
Do you like tea|You like tea
Is it red|It is red
Are there 3 replicas|There are 3 replicas
No hay pan|Hay pan
Ni Ana ni Luis|Ana y Luis
Ana tampoco viene|Ana también viene
weder Ana noch Ben|Ana und Ben
kaum Zeit|Zeit
zu schnell|schnell
too fast|fast
so fast|fast
very fast|fast
not really|not
does not also|does not
now not|not
"""


@pytest.mark.parametrize(("a", "b"), DIFFERENT)
def test_differing_values_and_polarity_are_named(a: str, b: str) -> None:
    """C6, C33."""
    assert differs(a, b)
    assert differs(b, a)


@pytest.mark.parametrize(("a", "b"), ALIKE)
def test_other_wordings_are_no_difference(a: str, b: str) -> None:
    assert differs(a, b) is None
    assert differs(b, a) is None


def test_reasons_say_what_differs() -> None:
    assert differs("port 8080 of 3", "port 9090 of 3") == "numbers differ: 8080 against 9090"
    assert differs("do go", "do not go") == "one says the opposite: 0 against 1 negations"
    assert differs("on Monday", "soon") == "days differ: monday against none; words differ: none against soon"


@given(st.text(), st.text())
def test_any_two_texts_can_be_compared(a: str, b: str) -> None:
    assert differs(a, a) is None
    assert (differs(a, b) is None) == (differs(b, a) is None)


@pytest.mark.parametrize("pair", NEAR.strip().splitlines())
def test_near_texts_that_differ_are_never_the_same(pair: str) -> None:
    """D9: when in doubt, different."""
    a, b = pair.split("|")
    assert compare(a, b).verdict != "same"
    assert compare(b, a).verdict == compare(a, b).verdict


@pytest.mark.parametrize(
    ("a", "b", "verdict"),
    [
        ("the port is 8080", "the port is 9090", "contradiction"),
        ("The deploy target is cluster blue.", "The deploy target is cluster green.", "contradiction"),
        ("The deploy target is cluster blue.", "Deploy-target: cluster “blue”", "same"),
        ("Likes spicy food", "I can't stand spicy food any more", "different"),
        ("Owner of billing is team Heron", "Owner of billing is team Swift", "contradiction"),
        ("Order 1231 shipped", "Order 1232 shipped", "different"),
        ("likes tea", "hates tea", "contradiction"),
        ("likes tea", "likes coffee", "different"),
        ("works at Acme", "no longer works at Acme", "contradiction"),
        ("works at Acme", "worked at Acme", "different"),
        ("die Tür ist offen", "die Tür ist geschlossen", "contradiction"),
        ("Ana ya no vive aquí", "Ana vive aquí", "contradiction"),
        ("他没有车", "他有车", "contradiction"),
    ],
)
def test_verdicts_of_d9_m02_m06(a: str, b: str, verdict: str) -> None:
    """Cases M02, M04, M06; C6, C33, C35."""
    assert compare(a, b).verdict == verdict


@pytest.mark.parametrize(
    ("a", "b"),
    [
        ("call at 3 pm", "call at 15:00"),
        ("1k users", "1,000 users"),
        ("50% of users", "50 percent of users"),
        ("zwei Hunde und eine Katze", "2 Hunde und eine Katze"),
        ("paid 1.50 EUR", "paid €1.5"),
        ("due 2024-05-01", "due May 1, 2024"),
        ("Termin ist am 1. Mai 2024", "der Termin ist am 01.05.2024"),
        ("下午三点开会", "15点开会"),
        ("On Friday we deploy", "we deploy on Friday"),
        ("Am Montag trifft Anna das Team", "Anna trifft am Montag das Team"),
        ("the server's port is open", "the port of the server is open"),
        ("back end", "back-end"),
        ("Ca phe sua da buoi sang", "Cà phê sữa đá buổi sáng"),
    ],
)
def test_one_value_in_two_spellings_is_the_same(a: str, b: str) -> None:
    assert compare(a, b).verdict == "same"
    assert compare(a, b).reasons == ()


def test_reasons_name_what_differs() -> None:
    assert compare("deploys on blue", "deploys on green").reasons == ("words differ: blue against green",)
    assert compare("Ana reports to Bob", "Bob reports to Ana").reasons == ("the same words stand in another order",)
    assert compare("!", "?").reasons


def test_the_weaker_guard_lets_other_words_pass_s0_46() -> None:
    assert differs("deploys go to blue", "deploys go to blue, as agreed") is None
    assert compare("deploys go to blue", "deploys go to blue, as agreed").verdict == "different"


def test_long_texts_are_compared_by_their_words_as_written() -> None:
    """Bounded time: nothing of a long text is looked at closely."""
    long = "a man, a plan " * 80_000
    assert compare(long, long.replace(" ", "  ")).verdict == "same"
    assert compare(long, long + "b").verdict == "different"
    assert compare(long, "A man, a plan").verdict == "different"
    assert compare("1" * MAX_COMPARED_CHARS, "2" * MAX_COMPARED_CHARS).verdict != "same"


@given(
    st.text(alphabet="ab 1.,'-不是the\n\"?$%é", max_size=40), st.text(alphabet="ab 1.,'-不是the\n\"?$%é", max_size=40)
)
def test_every_comparison_is_symmetric(a: str, b: str) -> None:
    assert compare(a, b).verdict == compare(b, a).verdict
    assert compare(a, a).verdict == "same"
    assert (compare(a, b).verdict == "same") == (not compare(a, b).reasons)
