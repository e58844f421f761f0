# The words of the local chat page. The page gets them as they are, so none of them takes an argument.

page-skip = 메시지 입력란으로 건너뛰기
page-theme = 어두운 화면과 밝은 화면 전환
page-look = 크게 볼 영역
page-look-both = 테이블과 채팅 함께 보기
page-look-table = 테이블 크게 보기
page-look-chat = 채팅 크게 보기
page-close = 닫기
page-cancel = 취소
page-save = 저장

page-connected = 연결됨
page-reconnecting = 다시 연결하는 중…
page-offline = 연결이 끊겨 다시 시도하고 있어요. 입력한 내용은 그대로 남아 있어요.
page-retry = 지금 시도
page-not-sent = 지금은 연결되어 있지 않아 보내지 못했어요. 입력한 내용은 그대로 있어요.

page-welcome = 함께 놀아요
page-welcome-hint = 이름을 정하고 들어온 뒤 Enter를 한 번 더 누르면 게임이 열려요. 가상 관중을 불러 함께 즐겨 보세요.
page-enter = 채팅 들어가기
page-add-viewer = 시청자 추가
page-add-hint = 이 브라우저에서 여러 사람이 되어 보세요. 누가 말할지는 채팅 아래에서 고를 수 있어요.
page-edit-viewer = 시청자 설정 바꾸기
page-edit-hint = 역할을 바꾸거나 이 시청자를 채팅에서 내보낼 수 있어요.
page-remove-viewer = 내보내기
page-name = 이름
page-name-missing = 이름을 입력하거나 주사위를 굴려 주세요.
page-name-here = 이미 들어와 있는 이름이에요. 다른 이름을 골라 주세요. 역할은 채팅 아래에서 바꿀 수 있어요.
page-role = 역할
page-dice = 다른 이름 만들기

page-chat = 채팅
page-chat-lines = 채팅 메시지
page-new-lines = 새 메시지
page-only-you = 나에게만 보여요
page-bot = Rabble
page-simulated = 가상
page-who = 말하는 사람
page-unread = 새 비공개 메시지가 있어요

page-composer = 메시지
page-placeholder = 메시지 입력, 명령어는 !
page-placeholder-whisper = 봇에게 귓속말하기
page-send = 보내기
page-whisper = 귓속말: 봇만 볼 수 있어요
page-whispering = 봇만 볼 수 있어요
page-suggestions = 맞는 명령어
page-commands = 명령어
page-commands-hint = 명령어를 고르면 메시지 입력란에 들어가요.
page-aliases = 다른 이름:
page-secret = 귓속말 추천

page-stage = 테이블
page-places = 참가자
page-time-left = 남은 시간
page-next-phase = 다음 단계
page-over = 종료
page-your-move = 님이 할 수 있는 행동:
page-explain = 설명 보기
page-move-hint = 행동을 가리키면 설명이 나와요.
page-you = 나
page-mark-waiting = 대기
page-mark-ready = 준비
page-mark-won = 성공
page-mark-lost = 실패
page-mark-left = 빠짐
page-empty-title = 명령어 하나로 다 같이 한판!
page-empty-hint = 아직 열린 게임이 없어요. 여기서 게임을 열거나 빈 입력란에서 Enter를 누른 뒤, 함께할 관중을 불러 보세요.
page-again = 게임 열기:
page-resting = 게임이 잠시 쉬고 있어요. 쉬는 시간이 지나면 다시 열 수 있어요.
page-skip-rest = 기다리지 않기

page-crowd = 관중 부르기
page-crowd-now = 지금 인원:
page-crowd-count = 가상 시청자 수
page-crowd-bring = 부르기
page-crowd-away = 돌려보내기
page-crowd-fewer = 일부 돌려보내기
page-crowd-all = 모두 있어요
page-crowd-same = 지금 인원과 같아요.
page-crowd-missing = 몇 명을 부를지 입력해 주세요. 인원은 그대로예요.
page-crowd-hint = 채팅도 하고 게임도 함께하는 가상 시청자예요. 0을 넣으면 돌아가요.
